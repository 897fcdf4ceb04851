import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { Shell } from "../../pages/Shell.js";
import { SignInPage } from "../../pages/SignInPage.js";
import { WeixinPage } from "../../pages/WeixinPage.js";
import { expect, test } from "../../support/test.js";

const weixin = (page: Page) => page.getByRole("button", { name: "微信登录", exact: true });
const somebody = () => `小林 ${randomUUID().slice(0, 8)}`;

test("a weixin is bound to an account once, and then signs in to the page first asked for", async ({ page, member }) => {
  const nickname = somebody();
  await page.goto("/manager/photos?added=3");
  await weixin(page).click();
  await new WeixinPage(page).agree(nickname);
  await expect(page).toHaveURL(/\/manager\/login\/[^/?]+\?way=binding$/);
  await expect(page.getByRole("heading", { level: 1, name: "绑定微信" })).toBeVisible();
  await expect(page.getByText(nickname)).toBeVisible();
  const door = new SignInPage(page);
  await door.account.fill(member.account);
  await door.password.fill("not the password");
  const bind = page.getByRole("button", { name: "绑定并登录" });
  await bind.click();
  await expect(door.complaint).toHaveText("账号或密码不正确");
  await expect(page.getByText(nickname)).toBeVisible();
  await expect(door.account).toHaveValue(member.account);
  await door.password.fill(member.password);
  await bind.click();
  await expect(page).toHaveURL("/manager/photos?added=3");

  await new Shell(page).signOut();
  await page.goto("/manager/order");
  await weixin(page).click();
  await new WeixinPage(page).agree(nickname);
  await expect(page).toHaveURL("/manager/order");
  await expect(new Shell(page).heading).toBeVisible();
});

test("whoever does not agree can try again, or sign in with the password", async ({ page, member }) => {
  await page.goto("/manager/order");
  await weixin(page).click();
  await new WeixinPage(page).decline();
  await expect(page.getByRole("alert")).toHaveText("您在微信里没有同意授权。");
  expect(page.url(), "neither code nor state stay in the address").not.toContain("state=");
  await page.getByRole("button", { name: "重新用微信登录" }).click();
  await new WeixinPage(page).decline();
  await page.getByRole("link", { name: "用密码或扫码登录" }).click();
  await new SignInPage(page).signIn(member.account, member.password);
  await expect(page).toHaveURL("/manager/order");
});

test("going back to weixin's answer does not sign in again", async ({ page }) => {
  await page.goto("/manager/login");
  await weixin(page).click();
  const asked = new URL(page.url()).searchParams;
  await new WeixinPage(page).agree(somebody());
  await expect(page).toHaveURL(/way=binding$/);
  await page.goto(`/manager/login_weixin?code=again&state=${asked.get("state")}`);
  await expect(page.getByRole("alert")).toContainText("请重新开始");
  await expect(page.getByRole("button", { name: "重新用微信登录" })).toBeVisible();
});
