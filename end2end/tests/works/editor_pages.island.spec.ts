// The editor's pages: they come, go, are copied, moved and laid out anew, and each step is undone and done again.
import type { Page } from "@playwright/test";
import { EditorPage } from "../../pages/EditorPage.js";
import { hold } from "../../support/line.js";
import { album, albumOf, idOf, upload } from "../../support/making.js";
import { photo, photos } from "../../support/photos.js";
import { expect, test } from "../../support/test.js";

const opened = async (page: Page) => new EditorPage(page, idOf(await album(page, "一页一页", 4)));

/** The number of the first page behind the title that shows photos. */
async function withPhotos(editor: EditorPage): Promise<number> {
  const { pages } = await editor.document();
  return pages.findIndex(({ elements }, index) => index > 0 && elements.some(({ kind }) => kind === "photo")) + 1;
}

test("pages are added, copied, moved and left out, and all of it is undone, after a reload, too", async ({ page, signedIn: _ }) => {
  test.slow();
  const editor = await opened(page);
  const order = async () => (await editor.document()).pages.map(({ id }) => id).join(" ");
  const whole = async () => JSON.stringify((await editor.document()).pages);
  const begun = await whole();
  await editor.open(2);
  const act = (name: string) => page.getByRole("navigation", { name: "书页" }).getByRole("button", { name });
  await act("第 2–3 页：复制").click();
  await expect(page.getByRole("region", { name: "第 4 页" })).toBeVisible();
  await act("第 4–5 页：后面加 2 页").click();
  await act("第 6–7 页：前移").click();
  await expect(page.getByRole("region", { name: "第 5 页" })).toBeVisible();
  await act("第 4–5 页：前移").click();
  await act("第 2–3 页：后移").click();
  await act("第 4–5 页：删去").click();
  await expect(editor.saved).toBeVisible();
  // the notice brings them back at once
  const gone = await order();
  await page.locator(".toast").getByRole("button", { name: "撤销" }).click();
  await expect.poll(order).not.toBe(gone);
  await expect(page.getByRole("region", { name: "第 4 页" })).toBeVisible();
  await page.keyboard.press("Control+Shift+z");
  await expect.poll(order).toBe(gone);
  await page.reload();
  await expect(editor.undo).toBeEnabled();
  while (await editor.undo.isEnabled()) await editor.undo.click();
  // pressed until nothing is left to take back, it still has the keys
  await expect(editor.undo).toBeFocused();
  await expect.poll(whole).toBe(begun);
  while (await editor.redo.isEnabled()) await editor.redo.click();
  await expect.poll(order).toBe(gone);
});

test("the whole book gets another style, which is one step, after a reload, too", async ({ page, signedIn: _ }) => {
  const editor = await opened(page);
  const book = async () => JSON.stringify(await editor.document());
  await editor.open(2);
  // what is done before is saved with it
  await editor.stage.getByRole("button", { name: /^照片，/ }).first().focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "换整本样式" }).click();
  const choice = page.getByRole("button", { name: "换成夜幕" });
  const seen = page.locator(".ways .styles img").first();
  await expect.poll(() => seen.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  await expect(editor.saved).toBeVisible();
  const before = await book();
  await choice.click();
  await expect(page.locator(".toast").filter({ hasText: "整本风格已换成夜幕" })).toBeVisible();
  expect((await editor.document()).theme).toBe("night");
  const after = await book();
  await page.reload();
  await expect(editor.undo).toHaveAttribute("title", /撤销：风格/);
  await editor.undo.click();
  await expect.poll(book).toBe(before);
  await editor.redo.click();
  await expect.poll(book).toBe(after);
  await editor.undo.click();
  await expect.poll(book).toBe(before);
  // and what was done before it
  await expect(editor.undo).toHaveAttribute("title", /撤销：移动/);
});

test("the front lies on its cover, beside spine and back", async ({ page, signedIn: _ }) => {
  const editor = await opened(page);
  await editor.open("cover");
  const sheet = page.locator(".stage .whole-cover");
  const picture = sheet.getByRole("img", { name: "封底和书脊" });
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  const [whole, front] = [await sheet.boundingBox(), await editor.paper(0).boundingBox()];
  if (!whole || !front) throw new Error("nothing is seen");
  expect(front.x - whole.x).toBeGreaterThan(front.width);
  expect(whole.x + whole.width).toBeGreaterThan(front.x + front.width);
  expect(whole.y).toBeLessThan(front.y);
  await sheet.getByRole("link", { name: "书名和作者" }).click();
  await expect(page).toHaveURL(/opus_setting/);
});

test("another layout is taken and taken back", async ({ page, signedIn: _ }) => {
  const editor = await opened(page);
  const { pages } = await editor.document();
  const number = pages.findIndex(({ elements }) => elements.some(({ kind }) => kind === "photo")) + 1;
  await editor.open(number);
  const frames = async () => JSON.stringify((await editor.document()).pages.map(({ elements }) => elements.map(({ frame }) => frame)));
  const before = await frames();
  await page.getByRole("button", { name: "换一换" }).click();
  const ways = page.getByRole("group", { name: "其他版式" }).getByRole("button");
  await expect(ways.nth(1)).toBeVisible();
  await ways.last().click();
  await expect.poll(frames).not.toBe(before);
  await expect(editor.saved).toBeVisible();
  await editor.undo.click();
  await expect.poll(frames).toBe(before);
});

test("one of two pages is laid out alone, as one step, and the one that it faces stays", async ({ page, signedIn: _ }) => {
  const editor = await opened(page);
  const number = await withPhotos(editor);
  await editor.open(number);
  const frames = async (of: number) => JSON.stringify((await editor.elements(of)).map(({ frame }) => frame));
  const other = number % 2 === 0 ? number + 1 : number - 1;
  const [before, beside] = [await frames(number), await frames(other)];
  await page.getByRole("group", { name: `第 ${number} 页`, exact: true }).getByRole("button", { name: "只换这一页" }).click();
  const layouts = page.getByRole("group", { name: `第 ${number} 页的其他版式` }).getByRole("button");
  await expect(layouts.nth(1)).toBeVisible();
  const picture = layouts.first().locator("img");
  await expect.poll(() => picture.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBeGreaterThan(0);
  await layouts.last().click();
  await expect.poll(() => frames(number)).not.toBe(before);
  await expect(editor.saved).toBeVisible();
  expect(await frames(other)).toBe(beside);
  await editor.undo.click();
  await expect.poll(() => frames(number)).toBe(before);
});

test("what is deleted leaves the focus to what is read next, and comes back by the notice", async ({ page, signedIn: _ }) => {
  const editor = await opened(page);
  await editor.open(2);
  const begun = (await editor.elements(2)).length;
  for (const name of ["加矩形", "加椭圆"]) await page.getByRole("button", { name }).click();
  const count = begun + 2;
  await expect.poll(async () => (await editor.elements(2)).length).toBe(count);
  await editor.stage.getByRole("button", { name: /^图形，矩形/ }).focus();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Delete");
  await expect(editor.stage.getByRole("button", { name: /^图形，矩形/ })).toHaveCount(0);
  await expect(page.locator("[data-element]:focus")).toHaveCount(1);
  // what has the focus is not selected by that: another Delete takes nothing
  await page.keyboard.press("Delete");
  await expect.poll(async () => (await editor.elements(2)).length).toBe(count - 1);
  await page.locator(".toast").getByRole("button", { name: "撤销" }).click();
  await expect(editor.stage.getByRole("button", { name: /^图形，矩形/ })).toBeFocused();
  await expect.poll(async () => (await editor.elements(2)).length).toBe(count);
});

test("a reload and the way back come to the page that was open", async ({ page, signedIn: _ }) => {
  const editor = await opened(page);
  await editor.open("cover");
  await page.getByRole("navigation", { name: "书页" }).getByRole("button", { name: "3 页", exact: true }).click();
  await expect(page).toHaveURL(/[?&]page=3$/);
  await page.reload();
  await expect(page.getByRole("region", { name: "第 3 页" })).toBeVisible();
  await page.getByRole("link", { name: "回到作品" }).click();
  await expect(page).toHaveURL(/\/manager\/opus\//);
  await page.goBack();
  await expect(page.getByRole("region", { name: "第 3 页" })).toBeVisible();
});

test("all spreads are seen at once, and carried, moved by keys and opened there", async ({ page, signedIn: _ }) => {
  const editor = await opened(page);
  const order = async () => (await editor.document()).pages.map(({ id }) => id).join(" ");
  const begun = await order();
  await editor.open(2);
  await page.keyboard.press("o");
  const overview = page.getByRole("region", { name: "总览" });
  const spread = (name: string) => overview.getByRole("button", { name, exact: true });
  await expect(spread("第 2–3 页")).toBeFocused();
  await expect(editor.stage).toBeHidden();

  // by the hand: the first pair behind the third, as one step
  const [from, to] = [await spread("第 2–3 页").boundingBox(), await spread("第 6–7 页").boundingBox()];
  if (!from || !to) throw new Error("no spreads");
  await page.mouse.move(from.x + from.width / 2, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width * 0.8, to.y + 20, { steps: 8 });
  await page.mouse.up();
  await expect.poll(order).not.toBe(begun);
  const [cover, one, other, ...rest] = begun.split(" ");
  expect(await order()).toBe([cover, ...rest.slice(0, 4), one, other, ...rest.slice(4)].join(" "));
  await expect(spread("第 6–7 页")).toBeFocused();

  // by keys: back again, one pair at a time
  await page.keyboard.press("Alt+ArrowLeft");
  await expect(spread("第 4–5 页")).toBeFocused();
  await page.keyboard.press("Alt+ArrowUp");
  await expect.poll(order).toBe(begun);
  // and by buttons
  await overview.getByRole("button", { name: "第 2–3 页：后移" }).click();
  await expect.poll(order).not.toBe(begun);
  await page.keyboard.press("Control+z");
  await expect.poll(order).toBe(begun);
  for (let step = 0; step < 3; step += 1) await editor.undo.click();
  await expect.poll(order).toBe(begun);
  await expect(editor.undo).toBeDisabled();

  // a photo of the tray is put on a spread that is not open
  await editor.panel("照片").click();
  const right = async () => JSON.stringify(await editor.elements(5));
  const before = await right();
  await page.locator(".tray li button").first().click();
  await spread("第 4–5 页").click({ position: { x: to.width * 0.6, y: 30 } });
  await expect.poll(right).not.toBe(before);
  // what is taken back on a page is seen there
  await editor.undo.click();
  await expect.poll(right).toBe(before);
  await expect(overview).toBeHidden();

  await editor.open(2);
  await page.keyboard.press("o");
  // a press that leaves the list and ends elsewhere is over, and the next one carries
  const [again, there] = [await spread("第 2–3 页").boundingBox(), await spread("第 4–5 页").boundingBox()];
  if (!again || !there) throw new Error("no spreads");
  await page.mouse.move(again.x + again.width / 2, again.y + 20);
  await page.mouse.down();
  await page.mouse.move(again.x + again.width / 2, 2);
  await page.mouse.up();
  await page.mouse.move(there.x + there.width / 2, there.y + 20, { steps: 4 });
  await expect(overview.locator("li[style*=translate]")).toHaveCount(0);

  await spread("第 4–5 页").click();
  await expect(overview).toBeHidden();
  await expect(page.getByRole("region", { name: "第 4 页" })).toBeVisible();
});

test("a spread is filled with photos that the book does not show, as one step", async ({ page, signedIn: _ }) => {
  const editor = await opened(page);
  const number = await withPhotos(editor);
  await editor.open(number);
  const fill = page.getByRole("button", { name: /^补满这一/ });
  await fill.click();
  await expect(page.locator(".toast")).toContainText("素材里的照片都已经在书里了");
  await upload(page, [photo("新的.jpg", 1600, 1200)]);
  const shown = async () => (await editor.document()).pages.flatMap(({ elements }) => elements.flatMap((element) => element.photo ?? []));
  const before = await shown();
  await fill.click();
  await expect.poll(async () => (await shown()).length).toBe(before.length + 1);
  expect((await shown()).filter((id) => before.includes(id)).length).toBe(before.length);
  await page.locator(".toast").getByRole("button", { name: "撤销" }).click();
  await expect.poll(async () => (await shown()).join()).toBe(before.join());
});

test("photos that come late for a page that has changed are not put in, which is said", async ({ page, signedIn: _ }) => {
  const editor = await opened(page);
  await editor.open(await withPhotos(editor));
  await upload(page, [photo("新的.jpg", 1600, 1200)]);
  const before = (await editor.document()).pages.flatMap(({ elements }) => elements.map(({ id }) => id));
  const release = await hold(page, /\/works\/filling\?/);
  await page.getByRole("button", { name: /^补满这一/ }).click();
  const moved = editor.stage.getByRole("button", { name: /^照片/ }).first();
  await moved.click();
  await expect(moved).toBeFocused();
  await moved.press("ArrowRight");
  // what comes back must find the page changed, however slow the editor is
  await expect(editor.undo).toBeEnabled();
  release();
  await expect(page.locator(".toast")).toContainText("没有补");
  await expect.poll(async () => (await editor.document()).pages.flatMap(({ elements }) => elements.map(({ id }) => id)).join()).toBe(before.join());
});

test("a better photo of the same moment takes the place of the selected one, and its frame stays", async ({ page, signedIn: _ }) => {
  const small = photo("IMG_20260501_100000.jpg", 800, 600);
  const editor = new EditorPage(page, idOf(await albumOf(page, "换更好的", [small, ...photos().slice(0, 3)])));
  const find = async () => (await editor.document()).pages.flatMap(({ elements }) => elements);
  const library = async () => ((await (await page.request.get(`/works/photos?workID=${editor.work}`)).json()) as { data: { photos: { id: string; name: string }[] } }).data.photos;
  const id = (await library()).find(({ name }) => name === small.name)?.id ?? "";
  const { pages } = await editor.document();
  const number = pages.findIndex(({ elements }) => elements.some((element) => element.photo === id)) + 1;
  await editor.open(number);
  await editor.stage.getByRole("button", { name: new RegExp(`^照片，${small.name}`) }).click();
  const before = (await find()).find((element) => element.photo === id);
  const better = page.getByRole("button", { name: "换一张更好的" });
  await better.click();
  await expect(page.getByText(/^没有更好的/).first()).toBeVisible();
  await better.click();
  await upload(page, [photo("IMG_20260501_100001.jpg", 1600, 1200)]);
  await better.click();
  await page.getByRole("group", { name: "更好的照片" }).getByRole("button", { name: /像素更多/ }).click();
  await expect(editor.stage.getByRole("button", { name: /^照片，IMG_20260501_100001/ })).toBeFocused();
  await expect.poll(async () => (await find()).find((element) => element.id === before?.id)?.photo).not.toBe(id);
  const after = (await find()).find((element) => element.id === before?.id);
  expect(after?.frame).toEqual(before?.frame);
  await editor.undo.click();
  await expect.poll(async () => JSON.stringify((await find()).find((element) => element.id === before?.id))).toBe(JSON.stringify(before));
});
