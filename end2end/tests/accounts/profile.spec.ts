import { ProfilePage } from "../../pages/ProfilePage.js";
import { photos } from "../../support/photos.js";
import { expect, signIn, test } from "../../support/test.js";

test("the member menu and the tab lead to the profile", async ({ page, signedIn: _ }) => {
  await page.goto("/manager/make_ebook");
  await page.getByRole("banner").locator("summary", { hasText: "member-" }).click();
  await page.getByRole("banner").getByRole("link", { name: "资料" }).click();
  await expect(page).toHaveURL("/manager/userInfo");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/manager/make_ebook");
  await page.getByRole("navigation", { name: "常用" }).getByRole("link", { name: "我的" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "资料" })).toBeVisible();
});

test("a new name stands everywhere at once", async ({ page, signedIn: _ }) => {
  const profile = new ProfilePage(page);
  await profile.open();
  await profile.rename("林知夏");
  await expect(profile.said).toHaveText("名字已保存。");
  await expect(page.getByRole("banner")).toContainText("林知夏");
  await profile.rename("林".repeat(20) + "\u2028夏");
  await expect(profile.complaint).toBeVisible();
  await expect(profile.name).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByRole("banner")).toContainText("林知夏");
});

test("a picture is shown, and can be taken away", { tag: "@no-js" }, async ({ page, signedIn: _ }) => {
  const profile = new ProfilePage(page);
  await profile.open();
  await profile.upload.click();
  await expect(profile.complaint).toContainText("请选择一张照片");
  await profile.picture.setInputFiles({ name: "x.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no picture") });
  await profile.upload.click();
  await expect(profile.complaint).toContainText("不是照片");
  await profile.picture.setInputFiles(photos()[0] ?? "");
  await profile.upload.click();
  await expect(profile.said).toHaveText("头像已更新。");
  await expect(profile.face).toBeVisible();
  await page.locator("summary", { hasText: "移除头像" }).click();
  await page.getByRole("button", { name: "移除", exact: true }).click();
  await expect(profile.said).toHaveText("头像已移除。");
  await expect(profile.face).toHaveCount(0);
});

test("another browser that is signed in can be seen and ended", async ({ page, browser, baseURL, signedIn }) => {
  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  const other = await context.newPage();
  await signIn(other, signedIn);
  const profile = new ProfilePage(page);
  await profile.open();
  await expect(profile.devices).toHaveCount(2);
  await expect(profile.devices.first()).toContainText("正在使用");
  await profile.devices.last().locator("summary").click();
  await profile.devices.last().getByRole("button", { name: "退出这个设备" }).click();
  await expect(profile.said).toHaveText("那个设备已退出登录。");
  await expect(profile.devices).toHaveCount(1);
  await other.goto("/manager/order");
  await expect(other).toHaveURL(/\/manager\/login\//);
  await context.close();
});
