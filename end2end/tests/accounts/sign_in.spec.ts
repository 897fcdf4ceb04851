import { Shell } from "../../pages/Shell.js";
import { SignInPage } from "../../pages/SignInPage.js";
import { expect, signIn, test } from "../../support/test.js";

test("signing in leads back to the page first asked for, with its query", async ({ page, member }) => {
  await page.goto("/manager/photos?added=3");
  await expect(page).toHaveURL(/\/manager\/login\/[A-Za-z0-9+=%]+$/);
  const door = new SignInPage(page);
  await expect(page.getByRole("heading", { level: 1, name: "登录书坊" })).toBeVisible();
  await door.signIn(member.account, member.password);
  await expect(page).toHaveURL("/manager/photos?added=3");
  await expect(new Shell(page).heading).toHaveText("素材");
});

test("a wrong password keeps the account that was typed, and the way back", { tag: "@no-js" }, async ({ page, member }) => {
  await page.goto("/manager/order");
  const door = new SignInPage(page);
  await door.signIn(member.account, "not the password");
  await expect(door.complaint).toHaveText("账号或密码不正确");
  await expect(door.account).toHaveValue(member.account);
  await expect(door.password).toHaveValue("");
  await door.password.fill(member.password);
  await door.button.click();
  await expect(page).toHaveURL("/manager/order");
});

test("an account that nobody has is refused in the same words", async ({ page }) => {
  const door = new SignInPage(page);
  await door.open();
  await door.signIn("nobody-at-all@example.com", "some password");
  await expect(door.complaint).toHaveText("账号或密码不正确");
  await expect(door.account).toHaveValue("nobody-at-all@example.com");
});

test("a forged way back leads nowhere else", async ({ page, member }) => {
  const elsewhere = Buffer.from("//evil.example/").toString("base64").replaceAll("/", "%2F");
  await page.goto(`/manager/login/${elsewhere}`);
  await new SignInPage(page).signIn(member.account, member.password);
  await expect(page).toHaveURL("/manager/make_ebook");
});

test("after signing out the pages are closed again", async ({ page, member }) => {
  await signIn(page, member);
  await page.goto("/manager/make_ebook");
  await new Shell(page).signOut();
  await expect(page).toHaveURL("/manager/login");
  await page.goto("/manager/order");
  await expect(page).toHaveURL(/\/manager\/login\//);
});
