import { randomUUID } from "node:crypto";
import { CompanyPage } from "../../pages/CompanyPage.js";
import { faults } from "../../support/axe.js";
import { signInClerk } from "../../support/clerk.js";
import { expect, test } from "../../support/test.js";

test("a clerk connects a company account, which takes the password's place, or the code's, too", async ({ page }) => {
  const person = `职员 ${randomUUID().slice(0, 8)}`;
  const device = await signInClerk(page, process.env.END2END_DATA ?? "", "印务");
  const door = page.getByRole("button", { name: "用公司账号登录" });
  await page.goto("/staff/me");
  const part = page.locator("#oidc");
  await part.getByLabel("动态验证码").fill(device.code());
  await part.getByRole("button", { name: "连接公司账号" }).click();
  await new CompanyPage(page).signIn(person);
  await expect(page).toHaveURL("/staff/me?said=done");
  await expect(part).toContainText("已连接");
  expect(await faults(page)).toEqual([]);

  await page.context().clearCookies();
  await page.goto("/staff/floor");
  await door.click();
  await new CompanyPage(page).decline();
  await expect(page.getByRole("alert")).toHaveText("您没有同意用公司账号登录");
  expect(await faults(page)).toEqual([]);
  await door.click();
  await new CompanyPage(page).signIn(person);
  await expect(page.getByRole("heading", { level: 1, name: "输入动态验证码" })).toBeVisible();
  await page.getByLabel("动态验证码").fill(device.code());
  await page.getByRole("button", { name: "登录" }).click();
  await expect(page).toHaveURL("/staff/floor");

  await page.context().clearCookies();
  await page.goto("/staff/floor");
  await door.click();
  await new CompanyPage(page).signIn(person, "more");
  await expect(page).toHaveURL("/staff/floor");
});
