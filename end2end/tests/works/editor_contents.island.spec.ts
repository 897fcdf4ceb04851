// What is in frames: the part of a photo that is shown, photos from the tray and from files, words from anywhere.
import type { Page } from "@playwright/test";
import { EditorPage } from "../../pages/EditorPage.js";
import { Fingers, InputMethod } from "../../support/fingers.js";
import { album, idOf } from "../../support/making.js";
import { photos } from "../../support/photos.js";
import { still, within } from "../../support/still.js";
import { expect, test } from "../../support/test.js";

/** An album of some photos, open at the first page that has one. */
async function opened(page: Page, count: number): Promise<{ editor: EditorPage; number: number }> {
  const editor = new EditorPage(page, idOf(await album(page, "框里框外", count)));
  const { pages } = await editor.document();
  const number = pages.findIndex(({ elements }) => elements.some(({ kind }) => kind === "photo")) + 1;
  await editor.open(number);
  return { editor, number };
}

test("a crop begins with Enter or a double click, is zoomed and pushed by wheel, arrows and hand, and is one step", async ({ page, signedIn: _ }) => {
  await page.clock.install();
  const { editor, number } = await opened(page, 2);
  const photo = editor.photos.first();
  const id = await photo.getAttribute("data-element");
  const crop = async () => (await editor.elements(number)).find((element) => element.id === id)?.crop ?? { x: 0, y: 0, width: 0, height: 0 };
  const begun = await crop();
  const inside = page.getByRole("button", { name: "完成裁切" });
  await photo.focus();
  await page.keyboard.press("Enter");
  await expect(inside).toBeVisible();

  // the wheel enlarges about the pointer
  const hand = await within(photo, 0.25, 0.25);
  await page.mouse.move(hand.x, hand.y);
  await page.mouse.wheel(0, -100);
  await page.mouse.wheel(0, -100);
  await expect.poll(async () => (await crop()).width).toBeLessThan(begun.width * 0.7);
  const near = await crop();
  expect(near.x + near.width / 4).toBeCloseTo(begun.x + begun.width / 4, 2);
  expect(near.y + near.height / 4).toBeCloseTo(begun.y + begun.height / 4, 2);

  await page.clock.fastForward(700);
  await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(async () => (await crop()).x).toBeLessThan(near.x);
  await page.clock.fastForward(700);
  // Esc takes back what the hand has done, and stays in there
  const picture = page.locator(".outline .rest");
  const place = await still(picture);
  // from the middle, where no handle of a small frame can be
  const middle = await within(photo);
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  await page.mouse.move(middle.x - 60, middle.y - 40, { steps: 4 });
  await expect.poll(() => still(picture)).not.toEqual(place);
  await page.keyboard.press("Escape");
  await expect.poll(() => still(picture)).toEqual(place);
  await expect(inside).toBeVisible();
  await page.mouse.up();
  const before = await crop();
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  await page.mouse.move(middle.x - 30, middle.y - 30, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => (await crop()).y).toBeGreaterThan(before.y);
  await page.keyboard.press("Escape");
  await expect(inside).toHaveCount(0);

  // in again, and out by Enter: another step
  const first = await crop();
  await photo.dblclick();
  await expect(inside).toBeVisible();
  await page.keyboard.press("+");
  await page.keyboard.press("Enter");
  await expect(inside).toHaveCount(0);
  await expect.poll(async () => (await crop()).width).toBeLessThan(first.width);
  await page.keyboard.press("Control+z");
  await expect.poll(crop).toEqual(first);
  await page.keyboard.press("Control+z");
  await expect.poll(crop).toEqual(begun);
  await expect(editor.undo).toBeDisabled();
});

test("an ornament comes to the page, becomes another one and keeps its shape", async ({ page, signedIn: _ }) => {
  const { editor, number } = await opened(page, 2);
  const before = await editor.elements(number);
  const drawn = async () => (await editor.elements(number)).find(({ kind }) => kind === "shape");
  await page.getByRole("button", { name: "加纹样" }).click();
  await expect.poll(async () => (await drawn())?.shape).toBe("sprig");
  await page.getByRole("group", { name: "哪种纹样" }).getByRole("button", { name: "花环" }).click();
  await expect.poll(async () => (await drawn())?.shape).toBe("wreath");
  await expect(editor.stage.getByRole("button", { name: /^纹样，花环/ })).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("group", { name: "颜色" }).getByRole("button", { name: "标题色" }).click();
  await editor.number("宽").fill("30");
  await editor.number("宽").press("Enter");
  await expect.poll(async () => (await drawn())?.frame).toMatchObject({ width: 30, height: 30 });
  // while it is carried, it is the press's own picture
  await expect(editor.saved).toBeVisible();
  const picture = page.locator(".layer.shape img.set");
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  for (let step = 0; step < 6 && (await editor.undo.isEnabled()); step += 1) await editor.undo.click();
  await expect.poll(() => editor.elements(number)).toEqual(before);
});

test("a photo of the tray is drawn into a frame or onto the paper, and two frames change their photos", async ({ page, signedIn: _ }) => {
  const { editor, number } = await opened(page, 4);
  const all = async () => (await editor.elements(number)).filter(({ kind }) => kind === "photo");
  await editor.panel("照片").click();
  const tray = page.getByRole("complementary", { name: "面板" }).getByRole("listitem").getByRole("button");
  const before = await all();
  const draw = async (from: { x: number; y: number }, to: { x: number; y: number }, end = true) => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x - 20, from.y, { steps: 3 });
    await page.mouse.move(to.x, to.y, { steps: 5 });
    if (end) await page.mouse.up();
  };
  // taken back on the way
  const corner = await within(editor.paper(number), 0.06, 0.06);
  await draw(await within(tray.first()), corner, false);
  await expect(page.locator(".ghost")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.locator(".ghost")).toHaveCount(0);
  await page.mouse.up();

  await draw(await within(tray.first()), corner);
  await expect.poll(async () => (await all()).length).toBe(before.length + 1);
  const made = (await all()).at(-1);
  await expect(editor.undo).toHaveAttribute("title", /放照片/);

  // into the first frame, whatever was in it
  const other = tray.filter({ hasNot: page.locator("[aria-label$=已用]") }).last();
  const first = editor.stage.locator(`[data-element="${before[0]?.id}"]`);
  await draw(await within(other), await within(first, 0.7, 0.7));
  await expect(editor.undo).toHaveAttribute("title", /换照片/);
  await expect.poll(async () => (await all())[0]?.frame).toEqual(before[0]?.frame);
  const [one] = await all();

  // two frames change their photos by the grip below; Esc leaves them
  await page.mouse.click(corner.x, corner.y);
  const grip = page.getByTitle("拖到另一个相框，交换照片");
  await draw(await within(grip), await within(first, 0.7, 0.7), false);
  const carrying = page.getByText("点一个相框就换成这张");
  await expect(carrying).toBeVisible();
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await expect(carrying).toHaveCount(0);
  await expect(editor.undo).toHaveAttribute("title", /换照片/);
  await draw(await within(grip), await within(first, 0.7, 0.7));
  await expect(editor.undo).toHaveAttribute("title", /交换照片/);
  const shown = async () => [(await all())[0], (await all()).at(-1)].map((element) => element?.photo);
  await expect.poll(shown).toEqual([made?.photo, one?.photo]);
});

test("things are copied to the same place of another page, cut and pasted; words come plain, files become photos", async ({ page, signedIn: _ }) => {
  const { editor, number } = await opened(page, 2);
  const photo = editor.photos.first();
  const id = await photo.getAttribute("data-element");
  const model = (await editor.elements(number)).find((element) => element.id === id);
  await photo.focus();
  await page.keyboard.press("Control+c");
  await page.getByRole("navigation", { name: "书页" }).getByRole("button", { name: "封面" }).click();
  await expect(editor.paper(0)).toBeVisible();
  // what isn't seen any more isn't selected
  await page.keyboard.press("Delete");
  await expect(editor.undo).toBeDisabled();
  const cover = async () => editor.elements(0);
  const count = (await cover()).length;
  await page.keyboard.press("Control+v");
  await expect.poll(async () => (await cover()).length).toBe(count + 1);
  const pasted = (await cover()).at(-1);
  expect(pasted).toMatchObject({ photo: model?.photo, frame: model?.frame, crop: model?.crop });
  expect(pasted?.id).not.toBe(id);
  await page.keyboard.press("Control+x");
  await expect.poll(async () => (await cover()).length).toBe(count);
  await page.keyboard.press("Control+v");
  await expect.poll(async () => (await cover()).length).toBe(count + 1);
  await page.keyboard.press("Control+d");
  await expect.poll(async () => (await cover()).length).toBe(count + 2);

  // words of another program: without its letters and colours, lines ended as anywhere
  const paste = (words: string, html: string) =>
    page.evaluate(([words = "", html = ""]) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", words);
      clipboardData.setData("text/html", html);
      document.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, [words, html]);
  await paste("第一行\r\n第二行\u000b完", "<h1 style='color:red'>第一行</h1><p>第二行<br>完</p>");
  await expect.poll(async () => (await cover()).at(-1)?.text).toBe("第一行\n第二行完");
  // and so in a text that is written
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.keyboard.press("Enter");
  await expect(editor.field).toBeFocused();
  await page.evaluate(() => navigator.clipboard.write([new ClipboardItem({ "text/plain": new Blob(["朴素"], { type: "text/plain" }), "text/html": new Blob(["<b>朴素</b>"], { type: "text/html" }) })]));
  await page.keyboard.press("Control+v");
  await expect.poll(() => editor.written()).toBe("第一行\n第二行完朴素");
  await page.keyboard.press("Escape");
  await expect.poll(async () => (await cover()).at(-1)?.text).toBe("第一行\n第二行完朴素");

  // files of pictures are uploaded and get a frame, pasted or dropped
  const [, , file, another] = photos();
  const bring = (type: "paste" | "drop", file: { name: string; mimeType: string; buffer: Buffer } | undefined, at = { x: 0, y: 0 }) =>
    page.evaluate(([type = "", name = "", mimeType = "", data = "", x = "", y = ""]) => {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], name, { type: mimeType }));
      const init = { bubbles: true, cancelable: true };
      if (type === "paste") document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, ...init }));
      else document.elementFromPoint(Number(x), Number(y))?.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, clientX: Number(x), clientY: Number(y), ...init }));
    }, [type, file?.name ?? "", file?.mimeType ?? "", file?.buffer.toString("base64") ?? "", String(at.x), String(at.y)]);
  const had = (await cover()).length;
  await bring("paste", file);
  await expect.poll(async () => (await cover()).length).toBe(had + 1);
  const at = await within(editor.paper(0), 0.3, 0.7);
  await bring("drop", another, at);
  await expect.poll(async () => (await cover()).length).toBe(had + 2);
  const dropped = (await cover()).at(-1);
  const middle = await within(editor.stage.locator(`[data-element="${dropped?.id}"]`));
  expect(Math.hypot(middle.x - at.x, middle.y - at.y)).toBeLessThan(3);
});

test("while an input method composes nothing is a shortcut, kept or asked; a word that was chosen is", async ({ page, signedIn: _ }) => {
  await page.clock.install();
  const { editor, number } = await opened(page, 1);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (/works\/(edit|lines)$/.test(request.url())) sent.push(decodeURIComponent(request.postData() ?? ""));
  });
  await page.getByRole("button", { name: "加文字" }).click();
  await expect(editor.field).toBeFocused();
  const ime = await InputMethod.on(page);
  const text = async () => (await editor.elements(number)).find(({ id }) => id === written)?.text;
  const selected = editor.stage.getByRole("button", { pressed: true });
  const written = await selected.getAttribute("data-element");
  await expect.poll(text).toBe("");

  await ime.compose("nihao");
  await expect.poll(() => editor.written()).toBe("nihao");
  await page.clock.fastForward(2000);
  // they choose among words, or give them up
  for (const key of ["Enter", "Escape", "Backspace", "Process"]) await ime.key(key);
  await expect(editor.field).toBeFocused();
  await ime.choose("你好");
  await expect.poll(() => editor.written()).toBe("你好");
  await expect.poll(text).toBe("你好");

  // in the middle of a text, given up and left
  await ime.compose("shijie");
  await page.clock.fastForward(2000);
  await ime.compose("");
  await ime.choose("世界");
  await expect.poll(() => editor.written()).toBe("你好世界");
  await page.keyboard.press("Escape");
  await expect(editor.field).toHaveCount(0);
  await expect.poll(text).toBe("你好世界");
  expect(sent.filter((body) => /nihao|shijie/.test(body))).toEqual([]);

  // with something selected, keys of the input method do nothing to it
  await expect(selected).toBeFocused();
  for (const key of ["Delete", "Backspace", "ArrowRight", "Escape"]) await ime.key(key);
  await expect(selected).toHaveAttribute("data-element", written ?? "");
  await page.keyboard.press("Control+z");
  await expect.poll(text).toBe("你好");
});

test("lines of a draft end where the press ends them, and nothing of that is in the text", async ({ page, signedIn: _ }) => {
  const { editor, number } = await opened(page, 1);
  await page.getByRole("button", { name: "加文字" }).click();
  await expect(editor.field).toBeFocused();
  // closing marks in a row: the press draws them together, which a browser's own measure does not know
  const text = "清晨的雾还没有散（渔船已经出海了）。“等一等！”他说：“潮水正在退去。”她没有回头，沿着沙滩一直走到灯塔下面。";
  const asked = page.waitForResponse((answer) => answer.url().endsWith("/works/lines") && decodeURIComponent(answer.request().postData() ?? "").includes("灯塔下面"));
  await page.keyboard.insertText(text);
  const { data } = (await (await asked).json()) as { data: { data: { lines: string[] } } };
  const { lines } = data.data;
  expect(lines.length).toBeGreaterThan(1);
  // each line is seen at a height of its own, and is the press's
  const seen = () =>
    editor.field.evaluate((field) => {
      const rows = new Map<number, string>();
      const texts = document.createTreeWalker(field, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        for (const [at, letter] of [...(node as Text).data].entries()) {
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          const top = Math.round(range.getBoundingClientRect().top);
          rows.set(top, (rows.get(top) ?? "") + letter);
        }
      }
      return [...rows.values()];
    });
  await expect.poll(seen).toEqual(lines.map((line) => line.trim()));
  // the caret stays where it was, in the middle of a text as well
  for (let step = 0; step < 12; step += 1) await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("慢慢");
  const whole = `${text.slice(0, -12)}慢慢${text.slice(-12)}`;
  await expect.poll(() => editor.written()).toBe(whole);
  await page.keyboard.press("Enter");
  await page.keyboard.type("地");
  await expect.poll(() => editor.written()).toBe(whole.replace("慢慢", "慢慢\n地"));
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+Shift+z");
  await expect.poll(() => editor.written()).toBe(whole.replace("慢慢", "慢慢\n地"));
  await page.keyboard.press("Escape");
  await expect.poll(async () => (await editor.elements(number)).at(-1)?.text).toBe(whole.replace("慢慢", "慢慢\n地"));
});

test("what is typed in one go is one step", async ({ page, signedIn: _ }) => {
  await page.clock.install();
  const { editor, number } = await opened(page, 1);
  await page.getByRole("button", { name: "加文字" }).click();
  await expect(editor.field).toBeFocused();
  const selected = editor.stage.getByRole("button", { pressed: true });
  const written = await selected.getAttribute("data-element");
  const text = async () => (await editor.elements(number)).find(({ id }) => id === written)?.text;
  // however long this machine takes for a key
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
  for (const letter of "风从") {
    await page.keyboard.type(letter);
    await page.clock.runFor(300);
  }
  await page.clock.runFor(1000);
  for (const letter of "海上") {
    await page.keyboard.type(letter);
    await page.clock.runFor(300);
  }
  await page.clock.resume();
  await page.keyboard.press("Escape");
  await expect.poll(text).toBe("风从海上");
  await page.keyboard.press("Control+z");
  await expect.poll(text).toBe("风从");
  await page.keyboard.press("Control+z");
  await expect.poll(text).toBe("");
});

test.describe("by touch", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test("two taps go into a photo, two fingers enlarge it there, and that is one step", async ({ page, signedIn: _ }) => {
    await page.clock.install();
    const { editor, number } = await opened(page, 1);
    const photo = editor.photos.first();
    const crop = async () => (await editor.elements(number)).find(({ kind }) => kind === "photo")?.crop ?? { x: 0, y: 0, width: 0, height: 0 };
    const begun = await crop();
    const paper = await still(editor.paper(number));
    const fingers = await Fingers.on(page);
    const middle = await within(photo);
    const rest = page.locator(".outline .rest");
    // slowly, or far apart, they are two taps
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
    await fingers.tap(middle);
    await page.clock.runFor(400);
    await fingers.tap(middle);
    await page.clock.runFor(400);
    await fingers.tap(middle);
    await fingers.tap({ x: middle.x + 40, y: middle.y });
    await expect(photo).toHaveAttribute("aria-pressed", "true");
    await expect(rest).toHaveCount(0);
    await page.clock.runFor(400);
    await fingers.tap(middle);
    await page.clock.runFor(200);
    await fingers.tap({ x: middle.x + 20, y: middle.y });
    await page.clock.resume();
    await expect(rest).toBeVisible();

    await fingers.down({ x: middle.x - 30, y: middle.y }, { x: middle.x + 30, y: middle.y });
    await fingers.move([{ x: middle.x - 60, y: middle.y }, { x: middle.x + 60, y: middle.y }]);
    // nothing is kept before the fingers are gone
    expect(await crop()).toEqual(begun);
    await fingers.up();
    await expect.poll(async () => (await crop()).width).toBeCloseTo(begun.width / 2, 2);
    await expect.poll(() => still(editor.paper(number))).toEqual(paper);
    await fingers.drag(middle, { x: middle.x + 30, y: middle.y });
    await expect.poll(async () => (await crop()).x).toBeLessThan(begun.x + begun.width / 4 - 0.02);
    await page.keyboard.press("Enter");
    await expect(rest).toHaveCount(0);
    await editor.undo.tap();
    await expect.poll(crop).toEqual(begun);
    await expect(editor.undo).toBeDisabled();
  });
});

test("a text is set in another typeface, and the page shows it", async ({ page, signedIn: _ }) => {
  const { editor, number } = await opened(page, 2);
  const picture = editor.paper(number).locator(".picture");
  const begun = (await picture.getAttribute("src")) ?? "";
  await page.getByRole("button", { name: "加文字" }).click();
  await editor.field.fill("山水之间");
  await page.keyboard.press("Escape");
  const find = async () => (await editor.elements(number)).find(({ text }) => text === "山水之间");
  await expect.poll(find).toBeTruthy();
  await expect(picture).not.toHaveAttribute("src", begun);
  await expect(editor.saved).toBeVisible();
  const before = (await picture.getAttribute("src")) ?? "";
  await page.getByRole("combobox", { name: "字体" }).selectOption({ label: "毛笔" });
  await expect.poll(async () => (await find())?.font).toBe("brush");
  await expect(picture).not.toHaveAttribute("src", before);
  await editor.undo.click();
  await expect.poll(async () => (await find())?.font).toBe(undefined);
});
