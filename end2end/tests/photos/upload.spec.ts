import { PhotosPage } from "../../pages/PhotosPage.js";
import { allPicturesLoad, naturalSize } from "../../support/pictures.js";
import { notAPhoto, photo, photos } from "../../support/photos.js";
import { expect, test } from "../../support/test.js";

test("photos of every shape come into the library as they are", async ({ page, signedIn: _ }) => {
  const library = new PhotosPage(page);
  await library.open();
  await expect(page.getByRole("heading", { name: "还没有照片" })).toBeVisible();
  await library.upload(photos());
  await expect(library.said).toHaveText("已上传 6 张照片。");
  await expect(library.photos).toHaveCount(6);
  expect(await allPicturesLoad(page.getByRole("main"))).toBe(6);
  expect(await naturalSize(library.picture("清晨.jpg"))).toEqual({ width: 320, height: 213 });
  expect(await naturalSize(library.picture("灯塔.jpg"))).toEqual({ width: 213, height: 320 });
  expect(await naturalSize(library.picture("贝壳.jpg"))).toEqual({ width: 320, height: 320 });
  expect(await naturalSize(library.picture("海岸.jpg"))).toEqual({ width: 320, height: 120 });
});

test("the same photo twice is one photo", async ({ page, signedIn: _ }) => {
  const library = new PhotosPage(page);
  const once = photo("一次.jpg", 400, 300);
  await library.open();
  await library.upload([once]);
  await expect(library.photos).toHaveCount(1);
  await library.upload([{ ...once, name: "两次.jpg" }]);
  await expect(library.said).toBeVisible();
  await expect(library.photos).toHaveCount(1);
});

test("refused files are named and the good ones are kept", { tag: "@no-js" }, async ({ page, signedIn: _ }) => {
  const library = new PhotosPage(page);
  await library.open();
  await library.upload([photo("好照片.jpg", 400, 300), notAPhoto("假照片.jpg"), { ...notAPhoto("空的.jpg"), buffer: Buffer.alloc(0) }]);
  await expect(library.complaint).toContainText("1 张已上传，2 个文件没有收下");
  await expect(library.complaint.getByRole("listitem").filter({ hasText: "假照片.jpg：" })).toHaveCount(1);
  await expect(library.complaint.getByRole("listitem").filter({ hasText: "空的.jpg：" })).toHaveCount(1);
  await expect(library.photos).toHaveCount(1);
  await expect(library.picture("好照片.jpg")).toBeVisible();
});
