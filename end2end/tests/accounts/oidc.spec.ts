import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { CodePage } from "../../pages/CodePage.js";
import { CompanyPage } from "../../pages/CompanyPage.js";
import { Shell } from "../../pages/Shell.js";
import { SignInPage } from "../../pages/SignInPage.js";
import { faults } from "../../support/axe.js";
import { expect, test } from "../../support/test.js";

const company = (page: Page) => page.getByRole("button", { name: "用公司账号登录" });
const somebody = () => `职员 ${randomUUID().slice(0, 8)}`;

test("a member binds a company account, comes in by it and takes it off", { tag: "@no-js" }, async ({ page, javaScriptEnabled, member, signedIn: _ }) => {
  const looks = async () => {
    if (javaScriptEnabled !== false) expect(await faults(page)).toEqual([]);
  };
  const person = somebody();
  await page.goto("/manager/userInfo");
  const part = page.locator("#oidc");
  await part.getByLabel("当前密码").fill("not the password");
  await part.getByRole("button", { name: "绑定公司账号" }).click();
  await expect(part).toContainText("密码不正确");
  await part.getByLabel("当前密码").fill(member.password);
  await part.getByRole("button", { name: "绑定公司账号" }).click();
  await new CompanyPage(page).signIn(person);
  await expect(page).toHaveURL("/manager/userInfo?oidc=bound#oidc");
  await expect(part).toContainText(`已绑定 ${person}`);
  await looks();

  await new Shell(page).signOut();
  await page.goto("/manager/photos?added=3");
  await company(page).click();
  await new CompanyPage(page).decline();
  await expect(page.getByRole("alert")).toHaveText("您没有同意用公司账号登录");
  await looks();
  await company(page).click();
  await new CompanyPage(page).signIn(person);
  await expect(page).toHaveURL("/manager/photos?added=3");

  await page.goto("/manager/userInfo");
  await part.getByRole("button", { name: "解绑公司账号" }).click();
  await expect(part.getByRole("status")).toHaveText("解绑成功!");
  await new Shell(page).signOut();
  await company(page).click();
  await new CompanyPage(page).signIn(person);
  await expect(page.getByRole("heading", { level: 1, name: "绑定公司账号" })).toBeVisible();
  await expect(page.getByText(person)).toBeVisible();
  await looks();
  const door = new SignInPage(page);
  await door.account.fill(member.account);
  await door.password.fill(member.password);
  await page.getByRole("button", { name: "绑定并登录" }).click();
  await expect(page).toHaveURL("/manager/make_ebook");
});

test("somebody without an account registers one, which the company account then opens", async ({ page }) => {
  const person = somebody();
  await page.goto("/manager/order");
  await company(page).click();
  await new CompanyPage(page).signIn(person);
  await page.getByRole("link", { name: "还没有账号，注册一个" }).click();
  const door = new CodePage(page);
  const code = await door.ask(`reader-${randomUUID().slice(0, 13)}@example.com`);
  await expect(page.getByRole("checkbox", { name: `绑定公司账号 ${person}` })).toBeChecked();
  await door.code.fill(code);
  await door.password.fill("一盏河边的红灯笼");
  await page.getByRole("button", { name: "注册并登录" }).click();
  await expect(page).toHaveURL("/manager/order");
  await page.context().clearCookies();
  await page.goto("/manager/order");
  await company(page).click();
  await new CompanyPage(page).signIn(person);
  await expect(page).toHaveURL("/manager/order");
});
