import { DesignPage } from "../../pages/DesignPage.js";
import { MakePage } from "../../pages/MakePage.js";
import { PhotosPage } from "../../pages/PhotosPage.js";
import { WorkPage } from "../../pages/WorkPage.js";
import { allPicturesLoad } from "../../support/pictures.js";
import { notAPhoto, photo, photos } from "../../support/photos.js";
import { expect, test } from "../../support/test.js";

test("photos become a book whose pages can all be seen", { tag: "@no-js" }, async ({ page, signedIn: _ }) => {
  await new MakePage(page).make("海边的夏天", photos());
  const work = new WorkPage(page);
  await expect(work.heading).toHaveText("海边的夏天");
  const pages = await work.pages.count();
  expect(pages).toBeGreaterThanOrEqual(16);
  expect(pages % 2).toBe(0);
  // the cover, the first page and the last stand alone
  await expect(work.spreads).toHaveCount(pages / 2 + 2);
  expect(await allPicturesLoad(page.getByRole("main"))).toBe(pages + 1);
  // pages lie as in the bound book: odd ones on the right, even ones on the left
  const left = async (page: number) => Math.round((await work.pages.nth(page - 1).boundingBox())?.x ?? -1);
  expect(await left(1), "the first page is a right-hand page").toBe(await left(3));
  expect(await left(pages), "the last page is a left-hand page").toBe(await left(2));

  await page.goto("/manager/opus_list/all");
  const onShelf = page.getByRole("main").getByRole("link", { name: "海边的夏天" });
  await expect(onShelf).toContainText(`${pages} 页`);
  await onShelf.click();
  await expect(work.heading).toHaveText("海边的夏天");
});

test("photos of the library make a book, too", async ({ page, signedIn: _ }) => {
  const library = new PhotosPage(page);
  await library.open();
  await library.upload([photo("甲.jpg", 640, 480), photo("乙.jpg", 480, 640), photo("丙.jpg", 500, 500)]);
  await expect(library.photos).toHaveCount(3);
  const desk = new MakePage(page);
  await desk.open();
  await desk.choose("A5 小画册");
  await desk.title.fill("三张照片");
  await page.getByText("从素材里选").click();
  for (const name of ["甲.jpg", "丙.jpg"]) await desk.fromLibrary(name).check();
  await expect(desk.fromLibrary("乙.jpg")).not.toBeChecked();
  await desk.send();
  await expect(page.getByText("148 × 210 mm")).toBeVisible();
});

test("refused files are named, the good ones stay chosen, and what was typed comes back", async ({ page, signedIn: _ }) => {
  const desk = new MakePage(page);
  await desk.open();
  await desk.choose("A4 竖版画册");
  await desk.title.fill("再试一次");
  await desk.author.fill("林知夏");
  await desk.add([photo("好照片.jpg", 640, 480), notAPhoto("假照片.jpg")]);
  await expect(desk.complaint).toContainText("假照片.jpg：");
  await expect(desk.title).toHaveValue("再试一次");
  await expect(desk.author).toHaveValue("林知夏");
  await expect(page.getByRole("radio", { name: "A4 竖版画册" })).toBeChecked();
  await desk.send();
  await expect(new WorkPage(page).heading).toHaveText("再试一次");
});

test("what the photos become is said before they are a book, and a spread is laid out another way", async ({ page, signedIn: _ }) => {
  const desk = new MakePage(page);
  await desk.open();
  await desk.add(photos());
  await expect(page.getByText(/现在 6 张会有/)).toBeVisible();
  await page.getByRole("button", { name: /页空白|没有空白/ }).first().click();
  await page.waitForURL(/\/manager\/opus\/[^/]+$/);
  const work = new WorkPage(page);
  await expect(work.heading).toHaveText("未命名作品");
  await new DesignPage(page).openFrom(3);
  await page.getByRole("button", { name: /^换成：/ }).first().click();
  await expect(work.said).toContainText("已换好");
  await allPicturesLoad(page.getByRole("main"));
});

test("photos are asked for", async ({ page, signedIn: _ }) => {
  const desk = new MakePage(page);
  await desk.open();
  await desk.title.fill("没有照片的书");
  await desk.button.click();
  await expect(desk.complaint).toContainText("请选择照片");
  await expect(desk.title).toHaveValue("没有照片的书");
});
