import { ShelfPage } from "../../pages/ShelfPage.js";
import { WorkPage } from "../../pages/WorkPage.js";
import { album } from "../../support/making.js";
import { notAPhoto } from "../../support/photos.js";
import { allPicturesLoad } from "../../support/pictures.js";
import { expect, test } from "../../support/test.js";

test("a work is exported as one file and imported again", async ({ page, signedIn: _ }) => {
  await page.goto(await album(page, "海边的夏天", 3));
  const work = new WorkPage(page);
  const pages = await work.pages.count();
  const downloading = page.waitForEvent("download");
  await work.more();
  await page.getByRole("link", { name: "导出作品" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("海边的夏天.bindery.zip");
  const archive = await download.path();

  await page.goto("/manager/make_ebook");
  await page.getByRole("link", { name: "导入作品" }).click();
  const file = page.getByLabel("作品文件");
  await file.setInputFiles(notAPhoto("别的文件.zip"));
  await page.getByRole("button", { name: "导入" }).click();
  await expect(page.getByRole("alert")).toContainText("没有导入");
  await expect(page.locator("#archive-error")).toContainText("不是书坊导出的作品");
  await file.setInputFiles(archive);
  await page.getByRole("button", { name: "导入" }).click();
  await expect(work.heading).toHaveText("海边的夏天");
  await expect(work.pages).toHaveCount(pages);
  await allPicturesLoad(page.getByRole("main"));
  const shelf = new ShelfPage(page);
  await shelf.open();
  await expect(shelf.works).toHaveCount(2);
});
