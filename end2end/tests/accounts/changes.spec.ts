import { randomUUID } from "node:crypto";
import { CodePage } from "../../pages/CodePage.js";
import { SignInPage } from "../../pages/SignInPage.js";
import { codeTo } from "../../support/outbox.js";
import { expect, signIn, test } from "../../support/test.js";

test("another password keeps this browser in and puts the others out", async ({ page, signedIn: member, browser, baseURL }) => {
  const other = await browser.newPage({ baseURL: baseURL ?? "" });
  await signIn(other, member);
  await page.goto("/manager/userInfo/password");
  await page.getByLabel("当前密码").fill("not the password");
  await page.getByLabel("新密码").fill("a lantern over the river");
  await page.getByRole("button", { name: "修改密码" }).click();
  await expect(page.getByRole("alert")).toContainText("当前密码不正确");
  await page.getByLabel("当前密码").fill(member.password);
  await page.getByLabel("新密码").fill("a lantern over the river");
  await page.getByRole("button", { name: "修改密码" }).click();
  await expect(page.getByRole("status")).toContainText("密码已修改");
  await other.goto("/manager/order");
  await expect(other).toHaveURL(/\/manager\/login\//);
  await new SignInPage(other).signIn(member.account, "a lantern over the river");
  await expect(other).toHaveURL("/manager/order");
});

test("another address takes the old one's place", async ({ page, signedIn: member }) => {
  const address = `new-${randomUUID().slice(0, 13)}@example.com`;
  await page.goto("/manager/userInfo/contact");
  await expect(page.getByRole("main")).toContainText(member.account);
  const form = new CodePage(page);
  await form.contact.fill(address);
  await page.getByLabel("当前密码").fill(member.password);
  await form.send.click();
  await expect(form.sent).toContainText(`验证码已发到 ${address}`);
  await form.code.fill(await codeTo(address));
  await page.getByRole("button", { name: "确认更改" }).click();
  await expect(page.getByRole("status")).toContainText("已更改");
  await expect(page.getByRole("main")).toContainText(address);
  await expect(page.getByRole("main")).not.toContainText(member.account);
});
