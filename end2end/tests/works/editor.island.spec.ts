// The editor by hand and by keys: what is moved, turned, cut, written and undone is what the server has.
import type { Page } from "@playwright/test";
import { CalendarDeskPage } from "../../pages/CalendarDeskPage.js";
import { DocumentPage } from "../../pages/DocumentPage.js";
import { EditorPage } from "../../pages/EditorPage.js";
import { album, idOf } from "../../support/making.js";
import { pdf } from "../../support/pdf.js";
import { photos } from "../../support/photos.js";
import { within } from "../../support/still.js";
import { expect, test } from "../../support/test.js";

const opened = async (page: Page) => new EditorPage(page, idOf(await album(page, "慢慢摆", 4)));

/** The first page with a photo. */
async function withPhoto(editor: EditorPage): Promise<number> {
  const { pages } = await editor.document();
  return pages.findIndex(({ elements }) => elements.some(({ kind }) => kind === "photo")) + 1;
}

test("a photo is moved, nudged, turned, cut and taken back, with the mouse and with keys", async ({ page, signedIn: _ }) => {
  test.slow();
  const editor = await opened(page);
  const number = await withPhoto(editor);
  await editor.open(number);
  const before = await editor.elements(number);
  const first = before.find(({ kind }) => kind === "photo");
  if (!first) throw new Error("no photo");
  const photo = editor.photos.first();
  await photo.click();
  await expect(photo).toHaveAttribute("aria-pressed", "true");
  const find = async () => (await editor.elements(number)).find(({ id }) => id === first.id);

  await editor.drag(photo, 37, 0, ["Control"]);
  await expect(editor.saved).toBeVisible();
  await expect.poll(async () => ((await find())?.frame.x ?? 0) - first.frame.x).toBeGreaterThan(5);
  const moved = (await find())?.frame.x ?? 0;

  // arrows: one millimetre, ten, a tenth; held down they are one step
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Alt+ArrowRight");
  await expect.poll(async () => (await find())?.frame.x).toBeCloseTo(moved + 11.1, 2);

  // every drag has a way by buttons
  await page.getByRole("button", { name: "角度增加" }).click();
  await page.getByRole("button", { name: "角度增加" }).click();
  await expect.poll(async () => (await find())?.rotation).toBe(2);
  await editor.number("宽").fill("61.5");
  await editor.number("宽").press("Enter");
  await expect.poll(async () => (await find())?.frame.width).toBe(61.5);

  // a part of the photo: double click, arrows, Enter
  await photo.dblclick();
  await page.keyboard.press("+");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "裁切", exact: true })).toBeVisible();

  // cut to an arch: round above, and straight below
  await page.getByRole("group", { name: "照片的外形" }).getByRole("button", { name: "拱" }).click();
  await expect.poll(async () => (await find())?.mask).toBe("arch");
  const arches = () => page.locator(".window").evaluateAll((all) => all.map((one) => getComputedStyle(one)).filter((style) => style.borderTopLeftRadius !== "0px" && style.borderBottomLeftRadius === "0px").length);
  await expect.poll(arches).toBe(1);

  // everything undone it is as it was, after a reload, too
  await expect(editor.saved).toBeVisible();
  await page.reload();
  await expect(editor.stage).toBeVisible();
  await expect(editor.undo).toBeEnabled();
  for (let step = 0; step < 12 && (await editor.undo.isEnabled()); step += 1) await editor.undo.click();
  await expect.poll(async () => JSON.stringify(await editor.elements(number))).toBe(JSON.stringify(before));
  await expect(editor.redo).toBeEnabled();
});

test("two pages are wide on a screen of 1280 px, and the menu still leads on", async ({ page, signedIn: _ }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const editor = await opened(page);
  await editor.open(2);
  const across = async () => {
    const [left, right] = [await editor.paper(2).boundingBox(), await editor.paper(3).boundingBox()];
    return (right?.x ?? 0) + (right?.width ?? 0) - (left?.x ?? 0);
  };
  await expect.poll(across).toBeGreaterThanOrEqual(760);
  await page.getByRole("banner").locator("summary", { hasText: "栏目" }).click();
  await page.getByRole("navigation", { name: "栏目" }).getByRole("link", { name: "素材" }).click();
  await expect(page).toHaveURL("/manager/photos");
});

test("a drag asks the server nothing and puts no part of the page anew", async ({ page, signedIn: _ }) => {
  const editor = await opened(page);
  // what is found once when the editor opens is no part of a drag
  const found = page.waitForResponse(/works\/findings/);
  await editor.open(await withPhoto(editor));
  const photo = editor.photos.first();
  await photo.click();
  await found;
  await page.waitForLoadState("networkidle");
  const { x, y } = await within(photo, 0.5, 0.33);
  await page.mouse.move(x, y);
  await page.mouse.down();
  // the gesture begins here
  await page.mouse.move(x + 12, y);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.evaluate(() => {
    const seen: string[] = [];
    const observer = new MutationObserver((records) => {
      for (const { target, type } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        if (!element?.closest(".guide-lines")) seen.push(`${type} ${element?.outerHTML.slice(0, 200)}`);
      }
    });
    observer.observe(document.querySelector(".editor") as Element, { subtree: true, childList: true, characterData: true, attributeFilter: ["class", "hidden", "aria-pressed", "src"] });
    Object.assign(globalThis, { seen });
  });
  for (let step = 1; step <= 20; step += 1) await page.mouse.move(x + 12 + step * 3, y + step * 2);
  expect(asked).toEqual([]);
  expect(await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)).toEqual([]);
  await page.mouse.up();
  await expect(editor.saved).toBeVisible();
  expect(asked.some((address) => address.endsWith("/works/edit"))).toBe(true);
});

test("a text is added, written and taken away; composing is nobody's shortcut", async ({ page, signedIn: _ }) => {
  const editor = await opened(page);
  const number = await withPhoto(editor);
  await editor.open(number);
  const count = (await editor.elements(number)).length;
  await page.getByRole("button", { name: "加文字" }).click();
  await expect(editor.field).toBeFocused();
  await page.keyboard.type("风从海上来");
  await expect.poll(async () => (await editor.elements(number)).some(({ text }) => text === "风从海上来")).toBe(true);
  // Backspace in a composition belongs to the input method, and so does Escape
  await editor.field.dispatchEvent("compositionstart");
  await editor.field.evaluate((field) => field.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", keyCode: 229, isComposing: true, bubbles: true })));
  await expect(editor.field).toBeFocused();
  await editor.field.dispatchEvent("compositionend");
  await page.keyboard.type("，".repeat(1) + "很长很长的一段话。".repeat(30));
  await expect(page.getByText("文字超出了框，印不全")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(editor.field).toHaveCount(0);
  await expect(editor.stage.getByRole("button", { name: /^文字，风从海上来/ })).toBeVisible();
  await page.keyboard.press("Delete");
  await expect.poll(async () => (await editor.elements(number)).length).toBe(count);
  await page.keyboard.press("Control+z");
  await expect.poll(async () => (await editor.elements(number)).length).toBe(count + 1);
});

test("several are marked, put on a line, copied and locked; photos of the tray replace and fill", async ({ page, signedIn: _ }) => {
  const editor = await opened(page);
  const number = await withPhoto(editor);
  await editor.open(number);
  await page.getByRole("button", { name: "加矩形" }).click();
  await editor.number("左").fill("20");
  await editor.number("左").press("Enter");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "加椭圆" }).click();
  const rect = editor.stage.getByRole("button", { name: /^图形，矩形/ });
  const ellipse = editor.stage.getByRole("button", { name: /^图形，椭圆/ });
  await editor.number("上").fill("12");
  await editor.number("上").press("Enter");
  await rect.click({ modifiers: ["Shift"], position: { x: 6, y: 6 } });
  await expect(page.getByRole("heading", { name: "已选中 2 件" })).toBeVisible();
  await page.getByRole("button", { name: "左对齐" }).click();
  const shapes = async () => (await editor.elements(number)).filter(({ kind }) => kind === "shape");
  await expect.poll(async () => (await shapes()).map(({ frame }) => frame.x)).toEqual([20, 20]);
  // one box around both: pulled at its corner, and by numbers
  const sizes = async () => (await shapes()).map(({ frame }) => frame.width);
  const [whole] = await sizes();
  await editor.drag(page.locator(".outline.box .handle.se"), 40, 40, ["Control"]);
  await expect.poll(async () => new Set(await sizes()).size === 1 && ((await sizes())[0] ?? 0) > (whole ?? 0) + 5).toBe(true);
  await editor.undo.click();
  await expect.poll(sizes).toEqual([whole, whole]);
  const across = Number(await editor.number("宽").inputValue());
  await editor.number("宽").fill(String(across * 2));
  await editor.number("宽").press("Enter");
  await expect.poll(sizes).toEqual([(whole ?? 0) * 2, (whole ?? 0) * 2]);
  await editor.undo.click();
  await expect.poll(sizes).toEqual([whole, whole]);
  await page.keyboard.press("Control+d");
  await expect.poll(async () => (await shapes()).length).toBe(4);
  await page.keyboard.press("Delete");
  await ellipse.first().click({ position: { x: 30, y: 8 } });
  await page.getByRole("button", { name: "锁定", exact: true }).click();
  await page.keyboard.press("ArrowRight");
  await expect.poll(async () => (await shapes()).map(({ frame }) => frame.x)).toEqual([20, 20]);

  // a photo of the tray goes into a frame, and another on empty paper
  const photo = async () => (await editor.elements(number)).filter(({ kind }) => kind === "photo").map((element) => element.photo);
  const before = await photo();
  await page.keyboard.press("Escape");
  await editor.panel("照片").click();
  const tray = page.getByRole("complementary", { name: "面板" }).getByRole("listitem").getByRole("button");
  await expect(tray).toHaveCount(4);
  // one that is not in the frame
  const framed = (await editor.photos.first().getAttribute("aria-label")) ?? "";
  const names = await tray.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")?.split("，")[0] ?? ""));
  await tray.nth(names.findIndex((name) => !framed.includes(name))).click();
  await editor.photos.first().click();
  await expect.poll(async () => JSON.stringify(await photo())).not.toBe(JSON.stringify(before));
  await page.keyboard.press("Escape");
  await tray.first().click();
  await page.getByRole("button", { name: "放到这一页" }).click();
  await expect.poll(async () => (await photo()).length).toBe(before.length + 1);

  await editor.panel("检查").click();
  await expect(page.getByRole("heading", { name: "印前检查" })).toBeVisible();
});

test("a calendar's months and a PDF's pages are moved and made smaller, with something of one's own on top", async ({ page, signedIn: _ }) => {
  test.slow();
  const desk = new CalendarDeskPage(page);
  await desk.open();
  await desk.title.fill("山河岁月");
  await desk.add(photos().slice(0, 2));
  await desk.button.click();
  await page.waitForURL(/\/manager\/opus\/[^/]+$/);
  await page.getByRole("link", { name: "编辑", exact: true }).click();
  await expect(page).toHaveURL(/opus-doc-calendar\?id=/);
  const calendar = new EditorPage(page, new URL(page.url()).searchParams.get("id") ?? "", "/manager/opus-doc-calendar");
  const { pages } = await calendar.document();
  const number = pages.findIndex(({ elements }) => elements.some(({ part }) => part === "grid")) + 1;
  await calendar.open(number);
  const month = calendar.stage.getByRole("button", { name: /^月历，/ });
  await month.click();
  const grid = async () => (await calendar.elements(number)).find(({ id, kind }) => kind === "month" && id === selected);
  const selected = (await month.getAttribute("data-element")) ?? "";
  const before = await grid();
  await page.keyboard.press("Shift+ArrowUp");
  await calendar.number("宽").fill(String((before?.frame.width ?? 0) - 20));
  await calendar.number("宽").press("Enter");
  await expect.poll(async () => (await grid())?.frame.width).toBeCloseTo((before?.frame.width ?? 0) - 20, 1);
  await page.getByRole("button", { name: "加文字" }).click();
  await page.keyboard.type("生日");
  await page.keyboard.press("Escape");
  await expect.poll(async () => (await calendar.elements(number)).some(({ text }) => text === "生日")).toBe(true);

  const documents = new DocumentPage(page);
  await documents.open();
  await documents.title.fill("年度报告");
  await documents.choosePdf("报告.pdf", pdf(6, 420, 595));
  await documents.button.click();
  await page.waitForURL(/\/manager\/opus\/[^/]+$/);
  await page.getByRole("link", { name: "编辑", exact: true }).click();
  await expect(page).toHaveURL(/opus-document\?id=/);
  const report = new EditorPage(page, new URL(page.url()).searchParams.get("id") ?? "", "/manager/opus-document");
  await report.open(2);
  const sheet = report.stage.getByRole("button", { name: /^PDF 第/ }).first();
  await sheet.click();
  const shape = async () => (await report.elements(2)).find(({ kind }) => kind === "pdf")?.frame;
  const whole = await shape();
  await report.number("宽").fill("100");
  await report.number("宽").press("Enter");
  await expect.poll(async () => (await shape())?.width).toBe(100);
  const small = await shape();
  expect((small?.height ?? 0) / (small?.width ?? 1)).toBeCloseTo((whole?.height ?? 0) / (whole?.width ?? 1), 2);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test("one page at a time, and everything by taps", async ({ page, signedIn: _ }) => {
    const editor = await opened(page);
    const number = await withPhoto(editor);
    await editor.open(number);
    await expect(page.getByRole("region", { name: /^第 \d+ 页$/ })).toHaveCount(1);
    expect(await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight])).toEqual([360, 740]);
    await editor.photos.first().tap();
    await editor.panel("属性").tap();
    await expect(editor.photos.first()).toBeInViewport();
    const before = (await editor.elements(number)).find(({ kind }) => kind === "photo");
    await page.getByRole("button", { name: "左增加" }).tap();
    await page.getByRole("button", { name: "照片放大" }).tap();
    await expect.poll(async () => (await editor.elements(number)).find(({ id }) => id === before?.id)?.frame.x).toBeCloseTo((before?.frame.x ?? 0) + 1, 2);
    await expect(editor.saved).toBeVisible();
  });

  test("a text is written in a sheet with letters that can be read, beside what becomes of it", async ({ page, signedIn: _ }) => {
    const editor = await opened(page);
    await editor.open(await withPhoto(editor));
    await page.getByRole("button", { name: "加文字" }).tap();
    await expect(editor.field).toBeFocused();
    expect(await editor.field.evaluate((field) => parseFloat(getComputedStyle(field).fontSize))).toBeGreaterThanOrEqual(16);
    await page.keyboard.type("风从海上来");
    await expect(page.getByText("草稿，点别处就写好了")).toBeInViewport();
    await expect(editor.texts.last()).toBeInViewport();
    await page.keyboard.type("很长很长的一段话。".repeat(30));
    await expect(page.getByText("文字超出了框，印不全")).toBeInViewport();
    await expect(page.getByRole("button", { name: "写好了" })).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => [document.documentElement.scrollHeight, scrollY])).toEqual([740, 0]);
    await page.getByRole("button", { name: "写好了" }).tap();
    await expect(editor.field).toHaveCount(0);
    await expect(editor.panel("属性")).toBeVisible();
  });
});
