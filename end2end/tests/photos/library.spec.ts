import { PhotosPage } from "../../pages/PhotosPage.js";
import { album } from "../../support/making.js";
import { photo } from "../../support/photos.js";
import { expect, test } from "../../support/test.js";

test("a photo has a page of its own, from which it can be deleted", async ({ page, signedIn: _ }) => {
  const library = new PhotosPage(page);
  await library.open();
  await library.upload([photo("海.jpg", 2000, 1500), photo("山.jpg", 400, 300)]);
  await expect(page.getByRole("heading", { name: "没有拍摄时间" })).toBeVisible();
  await page.getByRole("link", { name: "海.jpg" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("海.jpg");
  await expect(page.getByText("2000 × 1500，约 300 万像素")).toBeVisible();
  await expect(page.getByText("20 × 15 厘米以内")).toBeVisible();
  await page.getByText("删除这张照片").click();
  await page.getByRole("button", { name: "确认删除" }).click();
  await expect(library.said).toHaveText("已删除 1 张照片。");
  await expect(library.photos).toHaveCount(1);
  await expect(library.picture("山.jpg")).toBeVisible();
});

test("chosen photos are deleted, and what a work shows stays with its reason", async ({ page, signedIn: _ }) => {
  await page.goto(await album(page, "海边的夏天", 6));
  const library = new PhotosPage(page);
  await library.open();
  await library.upload([photo("多余.jpg", 400, 300), photo("也多余.jpg", 300, 400)]);
  await expect(library.photos).toHaveCount(8);
  await expect(page.getByText("删除选中的照片"), "nothing is chosen yet").toBeHidden();
  for (const name of ["多余.jpg", "灯塔.jpg"]) await library.tick(name).check();
  await library.remove();
  await expect(library.complaint).toContainText("1 张已删除，1 张没有删除");
  await expect(library.complaint.getByRole("listitem")).toHaveText("灯塔.jpg：正用在作品《海边的夏天》里");
  await expect(library.photos).toHaveCount(7);
  await expect(library.tick("灯塔.jpg")).toBeChecked();
  await library.tick("灯塔.jpg").uncheck();
  await library.tick("也多余.jpg").check();
  await library.remove();
  await expect(library.said).toHaveText("已删除 1 张照片。");
  await expect(library.photos).toHaveCount(6);
});
