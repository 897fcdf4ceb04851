import { ShelfPage } from "../../pages/ShelfPage.js";
import { WorkPage } from "../../pages/WorkPage.js";
import { album } from "../../support/making.js";
import { expect, test } from "../../support/test.js";

test("works are found, copied, put into the trash and taken out again", async ({ page, signedIn: _ }) => {
  await album(page, "海边的夏天", 2);
  await album(page, "山里的冬天", 2);
  const shelf = new ShelfPage(page);
  await shelf.open();
  await expect(shelf.works).toHaveCount(2);
  await shelf.find("边的");
  await expect(shelf.works).toHaveCount(1);
  await expect(shelf.work("海边的夏天")).toBeVisible();
  await shelf.find("没有这本");
  await page.getByRole("link", { name: "不搜索了" }).click();

  await shelf.act("山里的冬天", "复制");
  await expect(shelf.said).toContainText("已复制");
  await expect(shelf.works.first()).toContainText("山里的冬天（副本）");
  await page.getByRole("link", { name: "书名", exact: true }).click();
  await expect(shelf.works.last()).toContainText("海边的夏天");

  await shelf.act("海边的夏天", "移到回收站");
  await expect(shelf.said).toContainText("《海边的夏天》已移到回收站");
  await expect(shelf.works).toHaveCount(2);
  await shelf.undo.click();
  await expect(shelf.works).toHaveCount(3);

  await shelf.act("（副本）", "移到回收站");
  await page.getByRole("link", { name: "回收站", exact: true }).click();
  const trashed = shelf.work("（副本）");
  await expect(trashed).toContainText("删除");
  await trashed.getByRole("link").click();
  const work = new WorkPage(page);
  await expect(page.getByText("这件作品在回收站里")).toBeVisible();
  await expect(work.save).toHaveCount(0);
  await shelf.open("trash");
  await trashed.getByRole("button", { name: /^还原/ }).click();
  await expect(page.getByRole("heading", { name: "回收站是空的" })).toBeVisible();

  await shelf.open();
  await shelf.act("（副本）", "移到回收站");
  await shelf.open("trash");
  await trashed.getByText("彻底删除").first().click();
  await trashed.getByRole("button", { name: "彻底删除" }).click();
  await expect(page.getByRole("heading", { name: "回收站是空的" })).toBeVisible();
  await shelf.open();
  await expect(shelf.works).toHaveCount(2);
});
