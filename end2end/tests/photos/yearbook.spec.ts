// A class fills in a year book: a roster, a page by a link on a phone, and the book in which each copy has its own name.
import { allPicturesLoad } from "../../support/pictures.js";
import { photo } from "../../support/photos.js";
import { expect, test } from "../../support/test.js";

test.use({ viewport: { width: 360, height: 740 } });

test("a class's pages become copies that differ", { tag: "@no-js" }, async ({ page, signedIn: _, browser, baseURL, javaScriptEnabled }) => {
  await page.goto("/manager/yearbook/new");
  await page.getByLabel("书名").fill("我们的三年");
  await page.getByRole("button", { name: "建好，去填名单" }).click();
  await page.getByLabel("名单").fill("张伟，二班\n李娜，二班\n张伟，二班");
  await page.getByRole("button", { name: "添加" }).click();
  await expect(page.getByRole("alert")).toContainText("第 3 行和第 1 行都是二班 张伟");
  await page.getByLabel("名单").fill("张伟，二班\n李娜，二班");
  await page.getByRole("button", { name: "添加" }).click();
  await expect(page.getByRole("status")).toContainText("添加了 2 位");
  const own = page.url().split("?")[0] ?? "";
  await page.getByRole("link", { name: "张伟" }).click();
  const address = await page.getByLabel("链接（只给本人）").inputValue();

  const context = await browser.newContext({ baseURL: baseURL ?? "", locale: "zh-CN", viewport: { width: 360, height: 740 }, javaScriptEnabled });
  const pupil = await context.newPage();
  await pupil.goto(new URL(address).pathname);
  await expect(pupil.getByText("二班 张伟")).toBeVisible();
  await pupil.getByLabel("人像", { exact: true }).setInputFiles([photo("我.jpg", 1200, 1600)]);
  await pupil.getByLabel("名字下面的一句").fill("天高任鸟飞");
  await pupil.getByRole("button", { name: "交上" }).click();
  await expect(pupil.getByRole("status")).toContainText("收到了");
  // the portrait, and what is made of it
  await expect(pupil.getByRole("region", { name: "排出来的样子" }).getByRole("img")).toHaveCount(3);
  expect(await allPicturesLoad(pupil.getByRole("main"))).toBe(4);
  const wide = await pupil.evaluate(() => document.documentElement.scrollWidth);
  expect(wide, "nothing scrolls sideways").toBeLessThanOrEqual(360);
  await context.close();

  await page.goto(`${own}/book`);
  await expect(page.getByText("1 位还没交：李娜")).toBeVisible();
  await page.getByRole("button", { name: "做成一本书" }).click();
  await expect(page.getByRole("status")).toContainText("做好了");
  await page.getByText("每一本：封面和自己的两页").click();
  const first = page.getByRole("listitem").filter({ hasText: "张伟" });
  await expect(first.getByRole("img")).toHaveCount(3);
  expect(await allPicturesLoad(first)).toBe(3);
  const scrolled = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(scrolled, "nothing scrolls sideways").toBeLessThanOrEqual(360);

  // copy after copy, as it will be printed
  await page.getByRole("link", { name: "一本一本看样" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("张伟");
  await page.getByLabel("看哪一本").selectOption({ label: "2　李娜" });
  await page.getByRole("button", { name: "看这一本" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("李娜");
  await page.getByRole("link", { name: /李娜那本的第 2 页没有照片/ }).click();
  await expect(page).toHaveURL(/\/person\//);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("李娜");

  // one of them alone
  await page.goto(`${own}/some`);
  await page.getByRole("button", { name: "放进购物车，选印刷选项" }).click();
  await expect(page.getByRole("alert")).toContainText("请至少选一本");
  await page.getByLabel("李娜").check();
  await page.getByRole("button", { name: "放进购物车，选印刷选项" }).click();
  await expect(page.getByLabel("数量")).toHaveValue("1");
  await expect(page.getByText("一套 1 本：李娜")).toBeVisible();

  await page.goto(`${own}/book`);
  await page.getByRole("link", { name: "选印刷选项，订 2 本" }).click();
  await page.getByRole("button", { name: "选这种，定材料" }).first().click();
  await expect(page).toHaveURL(/\/manager\/shopping\/cart\/.*options/);
  await expect(page.getByLabel("数量")).toHaveValue("2");
});
