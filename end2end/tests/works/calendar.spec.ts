import { CalendarDeskPage } from "../../pages/CalendarDeskPage.js";
import { WorkPage } from "../../pages/WorkPage.js";
import { allPicturesLoad } from "../../support/pictures.js";
import { photos } from "../../support/photos.js";
import { expect, test } from "../../support/test.js";

test("photos become a calendar, its months change later, and it can be ordered", { tag: "@no-js" }, async ({ page, signedIn: _ }) => {
  test.slow();
  await page.goto("/manager/make_ebook");
  await page.getByRole("navigation", { name: "栏目" }).getByRole("link", { name: "台历" }).first().click();
  const desk = new CalendarDeskPage(page);
  await desk.option("开本", "A3 挂历").check();
  await desk.title.fill("山河岁月");
  const year = new Date().getFullYear() + 1;
  await desk.start.selectOption(`${year} 年 1 月`);
  await desk.option("一周从哪天开始", "周日").check();
  await desk.anniversaries.fill("3-15 妈妈生日\n十三月五日 外婆");
  await desk.add(photos().slice(0, 2));
  await desk.button.click();
  await expect(desk.complaint).toContainText("第 2 行“十三月五日 外婆”");
  await expect(desk.title).toHaveValue("山河岁月");
  await expect(desk.option("开本", "A3 挂历")).toBeChecked();
  await expect(desk.option("一周从哪天开始", "周日")).toBeChecked();
  await desk.anniversaries.fill("3-15 妈妈生日\n农历八月初八 外婆");
  await desk.button.click();
  await page.waitForURL(/\/manager\/opus\/[^/]+$/);

  const work = new WorkPage(page);
  await expect(work.heading).toHaveText("山河岁月");
  await expect(work.pages).toHaveCount(14);
  expect(await allPicturesLoad(page.getByRole("main"))).toBe(15);

  await new WorkPage(page).more();
  await page.getByRole("link", { name: "改月份与纪念日" }).click();
  await expect(desk.anniversaries).toHaveValue(/3-15 妈妈生日\s+农历八月初八 外婆/);
  await desk.start.selectOption(`${year} 年 3 月`);
  await page.getByRole("button", { name: "保存月历" }).click();
  await expect(work.said).toContainText("月历已更新");
  await expect(work.pages).toHaveCount(14);

  await work.print.click();
  await expect(page.getByRole("heading", { level: 1, name: "印刷选项" })).toBeVisible();
});
