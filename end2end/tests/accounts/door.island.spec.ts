import { CodePage } from "../../pages/CodePage.js";
import { SignInPage } from "../../pages/SignInPage.js";
import { expect, test } from "../../support/test.js";

test("the door remembers the way that was chosen and the account, never a password", async ({ page }) => {
  const door = new SignInPage(page);
  await door.open();
  await expect(page.getByRole("heading", { name: "扫码登录" })).toBeVisible();
  await door.signIn("someone@example.com", "not the password");
  await expect(door.complaint).toHaveText("账号或密码不正确");
  await page.goto("/manager/login");
  await expect(door.account).toHaveValue("someone@example.com");
  await page.getByRole("link", { name: "找回密码" }).click();
  const form = new CodePage(page);
  await expect(form.contact).toHaveValue("someone@example.com");

  // another day, asked in for another page: the chosen way, and still the way back
  await page.goto("/manager/order");
  await expect(page).toHaveURL(/\/manager\/login\/[^?]+\?way=recovery$/);
  await expect(form.heading).toHaveText("找回密码");
  await page.getByRole("link", { name: "返回登录" }).click();
  await expect(page.getByRole("heading", { name: "扫码登录" })).toBeVisible();
  await page.goto("/manager/order");
  await expect(page.getByRole("heading", { name: "扫码登录" })).toBeVisible();
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(kept).toContain("desk:door");
  expect(kept).not.toContain("not the password");
});

test("the back button leads back to where it was", async ({ page }) => {
  await page.goto("/manager/login");
  await page.getByRole("link", { name: "注册" }).click();
  await expect(new CodePage(page).heading).toHaveText("注册书坊账号");
  await page.goBack();
  await expect(new CodePage(page).heading).toHaveText("登录书坊");
  await page.reload();
  await expect(new CodePage(page).heading).toHaveText("登录书坊");
});
