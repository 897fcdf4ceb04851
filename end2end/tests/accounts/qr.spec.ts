// Two devices: a browser that shows the code, a phone that is signed in.
import type { Browser, Page } from "@playwright/test";
import { SignInPage } from "../../pages/SignInPage.js";
import type { Member } from "../../support/members.js";
import { still } from "../../support/still.js";
import { expect, test } from "../../support/test.js";

/** What the code on a page leads to. */
async function scanned(page: Page): Promise<string> {
  return `/manager/scan/${await page.locator("#qr input[name=ask]").inputValue()}`;
}

/** A phone that opens what it has scanned, and signs in on the way. */
async function phone(browser: Browser, member: Member, path: string, baseURL = "", javaScriptEnabled = true): Promise<Page> {
  const page = await browser.newPage({ baseURL, javaScriptEnabled, viewport: { width: 360, height: 740 } });
  await page.goto(path);
  const door = new SignInPage(page);
  await door.signIn(member.account, member.password);
  await expect(page.getByRole("heading", { level: 1, name: "有一个浏览器要登录您的账号" })).toBeVisible();
  return page;
}

test("a phone that confirms lets the browser in, on the page that it first wanted", { tag: "@no-js" }, async ({ page, browser, member, baseURL, javaScriptEnabled }) => {
  await page.goto("/manager/order");
  const held = await phone(browser, member, await scanned(page), baseURL, javaScriptEnabled);
  const number = await page.locator("#qr strong").innerText();
  await expect(held.getByText(number, { exact: true })).toBeVisible();
  await held.getByRole("button", { name: "确认登录" }).click();
  await expect(held.getByRole("heading", { level: 1, name: "已确认" })).toBeVisible();
  if (!javaScriptEnabled) await page.getByRole("button", { name: "我已确认" }).click();
  await expect(page).toHaveURL("/manager/order");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("a phone that declines lets nobody in", async ({ page, browser, member, baseURL }) => {
  await page.goto("/manager/login");
  const held = await phone(browser, member, await scanned(page), baseURL);
  const [decline, confirm] = [held.getByRole("button", { name: "拒绝" }), held.getByRole("button", { name: "确认登录" })];
  expect((await still(decline)).width, "both answers are alike").toBe((await still(confirm)).width);
  await decline.click();
  await expect(held.getByRole("heading", { level: 1, name: "已拒绝" })).toBeVisible();
  await expect(page.getByText("手机上拒绝了这次登录")).toBeVisible();
  await expect(page).toHaveURL(/\/manager\/login/);
});
