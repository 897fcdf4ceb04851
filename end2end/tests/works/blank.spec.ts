import { choose } from "../../pages/chooser.js";
import { DesignPage } from "../../pages/DesignPage.js";
import { MakePage } from "../../pages/MakePage.js";
import { WorkPage } from "../../pages/WorkPage.js";
import { allPicturesLoad } from "../../support/pictures.js";
import { photos } from "../../support/photos.js";
import { expect, test } from "../../support/test.js";

test("a blank book is filled page by page, and its pages are put in order", async ({ page, signedIn: _ }) => {
  const make = new MakePage(page);
  await make.open();
  await make.choose("方形画册");
  await make.title.fill("慢慢做的书");
  await make.blank.click();
  const work = new WorkPage(page);
  await expect(work.heading).toHaveText("慢慢做的书");
  const count = await work.pages.count();
  expect(count).toBeGreaterThanOrEqual(8);
  const main = page.getByRole("main");

  const design = new DesignPage(page);
  await design.openFrom(2);
  await page.getByRole("link", { name: "给这一页放照片" }).click();
  await choose(page, page.getByLabel("上传新照片"), photos().slice(0, 3));
  await page.getByRole("button", { name: "保存照片" }).click();
  await expect(work.said).toContainText("照片已换好");
  expect(await design.layouts.count()).toBeGreaterThanOrEqual(6);
  await allPicturesLoad(main);

  // the last one first, the first one gone
  await page.getByRole("link", { name: "换这一页的照片" }).click();
  const placed = main.getByRole("group", { name: "这一页的照片" });
  await expect(placed.getByRole("checkbox")).toHaveCount(3);
  const names = await placed.getByRole("checkbox").evaluateAll((boxes) => boxes.map((box) => box.getAttribute("aria-label")));
  await placed.getByRole("checkbox").first().uncheck();
  await placed.getByRole("spinbutton").last().fill("1");
  await page.getByRole("button", { name: "保存照片" }).click();
  await expect(work.said).toContainText("照片已换好");
  await page.getByRole("link", { name: "换这一页的照片" }).click();
  await expect(placed.getByRole("checkbox")).toHaveCount(2);
  await expect(placed.getByRole("checkbox").first()).toHaveAccessibleName(names[2] ?? "");

  await page.getByRole("link", { name: "《慢慢做的书》" }).click();
  await expect(design.heading).toHaveText("第 2–3 页");
  await page.getByRole("link", { name: "《慢慢做的书》" }).click();
  await work.more();
  await page.getByRole("link", { name: "整理书页", exact: true }).click();
  await page.getByRole("button", { name: "第 2–3 页：后移" }).click();
  await expect(work.said).toContainText("已移好");
  await page.getByRole("button", { name: "第 2–3 页：删去" }).click();
  await expect(work.said).toContainText("已删去 2 页");
  await expect(main).toContainText(`共 ${count - 2} 页`);
  await allPicturesLoad(main);
  await page.getByRole("button", { name: "撤销" }).click();
  await expect(work.said).toContainText("已还原");
  await expect(work.pages).toHaveCount(count);
  // the photos went with their page
  await design.openFrom(4);
  await expect(page.getByRole("link", { name: "换这一页的照片" })).toBeVisible();
});
