// Paper that speaks: a code beside what a page says, moved in the editor, and opened by whoever scans it.
import { EditorPage } from "../../pages/EditorPage.js";
import { send, sharedWork } from "../../support/making.js";
import { expect, test } from "../../support/test.js";

test("a page's song is printed as a code, moved, and opened from the paper", async ({ page, browser, signedIn: _ }) => {
  const read = await sharedWork(page, "外婆的歌");
  const work = read.split("/").pop() ?? "";
  const desk = `/manager/opus_hotarea_edit/${work}`;
  const place = { page: "2", x: "100", y: "100", width: "400", height: "200" };
  await send(page, desk, { ...place, area: `song-${work}`, name: "外婆的歌", kind: "note", words: "摇啊摇，摇到外婆桥。", act: "keep" });
  await page.goto(`${desk}?page=2`);
  await page.getByRole("link", { name: "外婆的歌", exact: true }).click();
  await page.getByRole("textbox", { name: "旁边的话" }).fill("扫码听外婆唱");
  await page.getByRole("combobox", { name: "大小" }).selectOption("20 毫米");
  await page.getByRole("button", { name: "放到这一页上" }).click();
  await expect(page.getByText("二维码已放到书页上。")).toBeVisible();

  const editor = new EditorPage(page, work);
  await editor.open(2);
  const codes = async () => (await editor.elements(2)).filter(({ kind }) => kind === "code");
  const [code] = await codes();
  expect(code?.frame.width).toBe(20);
  const shown = editor.stage.getByRole("button", { name: /^二维码/ });
  await editor.drag(shown, 60, -40);
  await expect(page.getByText(`扫码打开：${code?.address}`)).toBeVisible();
  await expect.poll(async () => (await codes())[0]?.frame.y).toBeLessThan(code?.frame.y ?? 0);
  await expect(editor.saved).toBeVisible();

  // a telephone that nobody signed in on
  const visitor = await browser.newPage();
  await visitor.goto(code?.address ?? "");
  await expect(visitor).toHaveURL(new RegExp(`${read}/2#area-song-${work}$`));
  await expect(visitor.getByText("摇啊摇，摇到外婆桥。")).toBeVisible();
  await visitor.close();
});
