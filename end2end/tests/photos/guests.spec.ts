// A guest without an account sends photos from a phone; their owner accepts them and makes a book in which the guest's words stand.
import { allPicturesLoad } from "../../support/pictures.js";
import { photo } from "../../support/photos.js";
import { expect, test } from "../../support/test.js";

test.use({ viewport: { width: 360, height: 740 } });

test("a guest's photos and wish become a book", { tag: "@no-js" }, async ({ page, signedIn: _, browser, baseURL, javaScriptEnabled }) => {
  await page.goto("/manager/guests/new");
  await page.getByLabel("名称").fill("小雨和老王的婚礼");
  await page.getByLabel("欢迎词").fill("谢谢您来！");
  await page.getByRole("button", { name: "建好" }).click();
  await expect(page.getByRole("status")).toContainText("建好了");
  const own = page.url().split("?")[0] ?? "";
  const address = (await page.getByRole("link", { name: /\/g\// }).getAttribute("href")) ?? "";

  const context = await browser.newContext({ baseURL: baseURL ?? "", locale: "zh-CN", viewport: { width: 360, height: 740 }, javaScriptEnabled });
  const guest = await context.newPage();
  await guest.goto(new URL(address).pathname);
  await expect(guest.getByRole("heading", { level: 1, name: "小雨和老王的婚礼" })).toBeVisible();
  await guest.getByLabel("您的名字").fill("表姐");
  await guest.getByLabel("想说的话").fill("百年好合");
  await guest.getByLabel("选照片").setInputFiles([photo("切蛋糕.jpg", 1600, 1200), photo("合影.jpg", 1200, 1600)]);
  await guest.getByRole("button", { name: "发送" }).click();
  await expect(guest.getByRole("status")).toHaveText("收到了 2 张，谢谢。");
  await guest.getByLabel("切蛋糕.jpg 的图说").fill("切蛋糕的时候");
  await guest.getByRole("button", { name: "保存图说" }).click();
  await expect(guest.getByRole("status")).toHaveText("图说已保存。");
  expect(await allPicturesLoad(guest.getByRole("main"))).toBe(2);
  const wide = await guest.evaluate(() => document.documentElement.scrollWidth);
  expect(wide, "nothing scrolls sideways").toBeLessThanOrEqual(360);

  await page.goto(own);
  await expect(page.getByRole("heading", { name: "表姐" })).toBeVisible();
  await expect(page.getByText("切蛋糕的时候")).toBeVisible();
  await page.getByRole("button", { name: "全部收下" }).click();
  await expect(page.getByRole("status")).toContainText("收下 2 张");
  await guest.reload();
  await expect(guest.getByText("已收下")).toHaveCount(2);
  await context.close();

  await page.getByRole("link", { name: "做成一本书" }).click();
  await expect(page.getByRole("group", { name: /来宾照片：小雨/ })).toBeVisible();
  await page.getByRole("button", { name: "生成画册" }).last().click();
  // few photos leave pages empty: the desk asks once
  if (page.url().includes("make_ebook")) await page.getByRole("button", { name: "生成画册" }).last().click();
  await expect(page).toHaveURL(/\/manager\/opus\//);
  await expect(page.getByText("百年好合").first()).toBeAttached();
});
