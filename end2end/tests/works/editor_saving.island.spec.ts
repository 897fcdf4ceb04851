// What becomes of an edit when the line breaks, the page is left, another tab is open, or somebody else edits the same.
import type { Page } from "@playwright/test";
import { EditorPage } from "../../pages/EditorPage.js";
import { album, idOf } from "../../support/making.js";
import { expect, test } from "../../support/test.js";

test.use({ breaksRequests: true });

async function opened(page: Page): Promise<{ editor: EditorPage; number: number }> {
  const editor = new EditorPage(page, idOf(await album(page, "断线也不丢", 3)));
  const { pages } = await editor.document();
  const number = pages.findIndex(({ elements }) => elements.some(({ kind }) => kind === "photo")) + 1;
  await editor.open(number);
  return { editor, number };
}

test("offline it is kept here and said apart; a reload loses nothing", async ({ page, signedIn: _ }) => {
  const { editor, number } = await opened(page);
  const photo = async () => (await editor.elements(number)).find(({ kind }) => kind === "photo");
  const before = await photo();
  await page.route("**/works/edit", (route) => route.abort());
  await editor.photos.first().click();
  await page.keyboard.press("Shift+ArrowRight");
  await expect(editor.kept).toBeVisible();
  await expect(page.getByText("离线，尚未排版")).toBeVisible();
  await page.keyboard.press("ArrowDown");
  expect((await photo())?.frame).toEqual(before?.frame);
  await page.unroute("**/works/edit");
  await page.reload();
  await expect(editor.saved).toBeVisible();
  await expect.poll(async () => (await photo())?.frame.x).toBeCloseTo((before?.frame.x ?? 0) + 10, 2);
  await expect.poll(async () => (await photo())?.frame.y).toBeCloseTo((before?.frame.y ?? 0) + 1, 2);
});

test("one tab writes, the other follows and may take over", async ({ page, context, signedIn: _ }) => {
  const { editor, number } = await opened(page);
  const second = new EditorPage(await context.newPage(), editor.work);
  await second.open(number);
  await expect(second.page.getByText("正在另一个标签页里编辑")).toBeVisible();
  await editor.page.bringToFront();
  await page.getByRole("button", { name: "加矩形" }).click();
  await expect(editor.saved).toBeVisible();
  await expect(second.stage.getByRole("button", { name: /^图形，矩形/ })).toHaveCount(1);
  await second.page.getByRole("button", { name: "到这里来编辑" }).click();
  await expect(page.getByText("正在另一个标签页里编辑")).toBeVisible();
  await second.page.getByRole("button", { name: "加椭圆" }).click();
  await expect(editor.stage.getByRole("button", { name: /^图形，椭圆/ })).toHaveCount(1);
});

test("the same changed elsewhere: both are shown, and the member chooses", async ({ page, signedIn: _ }) => {
  const { editor, number } = await opened(page);
  const { pages } = await editor.document();
  const element = pages[number - 1]?.elements.find(({ kind }) => kind === "photo");
  const answer = await page.request.get(`/works/document?workID=${editor.work}`);
  const { revision } = ((await answer.json()) as { data: { revision: number } }).data;
  const operations = JSON.stringify([
    { id: "elsewhere", op: "set", page: pages[number - 1]?.id, element: element?.id, name: "frame", value: { x: 30, y: 30, width: 50, height: 50 } },
  ]);
  const done = await page.request.post("/works/edit", { form: { workID: editor.work, base: String(revision), operations }, headers: { origin: new URL(page.url()).origin } });
  expect(done.status()).toBe(200);
  await editor.photos.first().click();
  await page.keyboard.press("Shift+ArrowRight");
  await expect(page.getByRole("heading", { name: "同一处在别处也改过" })).toBeVisible();
  await expect(page.getByRole("img", { name: /别处的改法$/ })).toBeVisible();
  await page.getByRole("button", { name: "用我的改法" }).click();
  await expect(page.getByRole("heading", { name: "同一处在别处也改过" })).toHaveCount(0);
  const now = (await editor.elements(number)).find(({ id }) => id === element?.id);
  expect(now?.frame.x).toBeCloseTo((element?.frame.x ?? 0) + 10, 2);
  await page.keyboard.press("ArrowLeft");
  await expect(editor.saved).toBeVisible();
});
