import { randomInt, randomUUID } from "node:crypto";
import { CodePage } from "../../pages/CodePage.js";
import { Shell } from "../../pages/Shell.js";
import { SignInPage } from "../../pages/SignInPage.js";
import { messageTo } from "../../support/outbox.js";
import { expect, test } from "../../support/test.js";

const stranger = () => `reader-${randomUUID().slice(0, 13)}@example.com`;

test("a newcomer registers at the door and is where it wanted to be", async ({ page }) => {
  await page.goto("/manager/photos?added=2");
  await page.getByRole("link", { name: "注册" }).click();
  const door = new CodePage(page);
  await expect(door.heading).toHaveText("注册书坊账号");
  const phone = `139${randomInt(10_000_000, 99_999_999)}`;
  const code = await door.ask(phone);
  await expect(door.sent).toContainText(`验证码已发到 ${phone}`);
  await door.code.fill(code);
  await door.password.fill("一盏河边的灯笼");
  await page.getByLabel("名字").fill("林知夏");
  await page.getByRole("button", { name: "注册并登录" }).click();
  // seven characters are too few, and nothing else is lost
  await expect(door.complaint).toContainText("密码至少 8 个字符");
  await expect(door.code).toHaveValue(code);
  await expect(page.getByLabel("名字")).toHaveValue("林知夏");
  await expect(door.password).toHaveValue("");
  await door.password.fill("一盏河边的红灯笼");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/manager/photos?added=2");
  await expect(new Shell(page).heading).toHaveText("素材");
});

test("a wrong code is refused in plain words, and the right one still works", async ({ page }) => {
  await page.goto("/manager/login?way=registration");
  const door = new CodePage(page);
  const code = await door.ask(stranger());
  await door.code.fill(code === "000000" ? "000001" : "000000");
  await door.password.fill("a lantern over the river");
  await page.getByRole("button", { name: "注册并登录" }).click();
  await expect(door.complaint).toContainText("验证码不正确");
  await door.code.fill(code);
  await door.password.fill("a lantern over the river");
  await page.getByRole("button", { name: "注册并登录" }).click();
  await expect(page).toHaveURL("/manager/make_ebook");
});

test("another code is sent after a minute, and the page says so", async ({ page }) => {
  await page.goto("/manager/login?way=registration");
  const door = new CodePage(page);
  const code = await door.ask(stranger());
  await door.again.click();
  await expect(door.complaint).toContainText(/请 \d+ 秒后再发。上一个验证码仍然有效/);
  await door.code.fill(code);
  await door.password.fill("a lantern over the river");
  await page.getByRole("button", { name: "注册并登录" }).click();
  await expect(page).toHaveURL("/manager/make_ebook");
});

test("only the owner of an address learns that it has an account", async ({ page, member }) => {
  await page.goto("/manager/login?way=registration");
  const door = new CodePage(page);
  await door.contact.fill(member.account);
  await door.send.click();
  await expect(door.sent).toContainText(`验证码已发到 ${member.account}`);
  expect(await messageTo(member.account)).toContain("已经有账号了");
});

test("who forgot the password sets another one and is in", async ({ page, member }) => {
  await page.goto("/manager/order");
  await page.getByRole("link", { name: "找回密码" }).click();
  const door = new CodePage(page);
  await door.code.or(door.contact).waitFor();
  const code = await door.ask(member.account);
  await door.code.fill(code);
  await door.password.fill("a lantern over the river");
  await page.getByRole("button", { name: "设置新密码并登录" }).click();
  await expect(page).toHaveURL("/manager/order");
  expect(await messageTo(member.account)).toContain("您的密码刚刚修改");
  await new Shell(page).signOut();
  await new SignInPage(page).signIn(member.account, "a lantern over the river");
  await expect(page).toHaveURL("/manager/make_ebook");
});
