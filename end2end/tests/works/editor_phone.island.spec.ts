// The editor on a phone: what is selected stays in sight, small things lead near, and what nobody has asked for is not fetched first.
// And on any screen: the pages alone, and the tray sifted.
import type { Page } from "@playwright/test";
import { EditorPage } from "../../pages/EditorPage.js";
import { Fingers } from "../../support/fingers.js";
import { album, blank, idOf, upload } from "../../support/making.js";
import { photos } from "../../support/photos.js";
import { within } from "../../support/still.js";
import { expect, test } from "../../support/test.js";

const opened = async (page: Page) => new EditorPage(page, idOf(await album(page, "拿在手里", 4)));

/** The first page with a photo. */
async function withPhoto(editor: EditorPage): Promise<number> {
  const { pages } = await editor.document();
  return pages.findIndex(({ elements }) => elements.some(({ kind }) => kind === "photo")) + 1;
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test("what is selected is in sight above the sheet, and what was seen comes back with the room", async ({ page, signedIn: _ }) => {
    const editor = await opened(page);
    const number = await withPhoto(editor);
    await editor.open(number);
    const photo = editor.photos.first();
    for (let press = 0; press < 6; press += 1) await page.getByRole("button", { name: "放大", exact: true }).tap();
    await photo.tap();
    const before = await editor.paper(number).boundingBox();
    await editor.panel("属性").tap();
    const inside = async () => {
      const [stage, box] = [await editor.stage.boundingBox(), await photo.boundingBox()];
      return stage !== null && box !== null && box.x >= stage.x && box.y >= stage.y && box.x + box.width <= stage.x + stage.width && box.y + box.height <= stage.y + stage.height;
    };
    await expect.poll(inside).toBe(true);
    await editor.panel("属性").tap();
    await expect.poll(() => editor.paper(number).boundingBox()).toEqual(before);
    await page.getByRole("button", { name: "适合窗口" }).tap();
    await expect.poll(inside).toBe(true);
  });

  test("a thing too small for handles leads near, where they stand at its corners", async ({ page, signedIn: _ }) => {
    const editor = await opened(page);
    const number = await withPhoto(editor);
    await editor.open(number);
    await page.getByRole("button", { name: "加矩形" }).tap();
    const corner = page.locator(".outline .handle.se");
    await expect(corner).toBeVisible();
    const shape = editor.shape("矩形");
    const edges = async () => {
      const [handle, box] = [await corner.boundingBox(), await shape.boundingBox()];
      return handle && box ? [handle.x + handle.width / 2 - box.x - box.width, handle.y + handle.height / 2 - box.y - box.height].map(Math.round) : [];
    };
    await expect.poll(edges).toEqual([0, 0]);
    await editor.panel("属性").tap();
    await editor.number("宽").fill("20");
    await editor.number("宽").press("Enter");
    await editor.panel("属性").tap();
    await expect(corner).toBeHidden();
    await page.getByRole("button", { name: "放大来改" }).tap();
    await expect(corner).toBeVisible();
    await expect(page.getByRole("button", { name: "放大来改" })).toHaveCount(0);
    await expect.poll(edges).toEqual([0, 0]);
  });

  test("two taps write a text: its field has the focus, then the text has it again", async ({ page, signedIn: _ }) => {
    await page.clock.install();
    const editor = new EditorPage(page, idOf(await blank(page, "写几个字")));
    await editor.open(2);
    const text = editor.texts.first();
    const at = await within(text);
    const fingers = await Fingers.on(page);
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
    await fingers.tap(at);
    await page.clock.runFor(100);
    await fingers.tap(at);
    await page.clock.resume();
    await expect(editor.field).toBeVisible();
    await expect(editor.field).toBeFocused();
    await page.keyboard.type("海风");
    await page.getByRole("button", { name: "写好了" }).tap();
    await expect(editor.field).toHaveCount(0);
    await expect(text).toBeFocused();
    await expect.poll(async () => (await editor.elements(2)).some((element) => element.text === "海风")).toBe(true);
  });

  test("a caption is seen as a whole above its panel, and is tapped under the grips of the photo above it", async ({ page, signedIn: _ }) => {
    await upload(page, photos().slice(0, 1));
    const editor = new EditorPage(page, idOf(await blank(page, "照片下面的字")));
    await editor.open(2);
    await editor.texts.first().focus();
    await page.keyboard.press("Delete");
    await expect(editor.texts).toHaveCount(0);
    await editor.panel("照片").tap();
    await page.getByRole("complementary", { name: "面板" }).getByRole("listitem").getByRole("button").first().tap();
    await page.getByRole("button", { name: "放到这一页" }).tap();
    const photo = editor.photos.first();
    await expect(photo).toHaveAttribute("aria-pressed", "true");
    await editor.panel("属性").tap();
    const put = async (numbers: Record<string, number>) => {
      for (const [label, value] of Object.entries(numbers)) {
        await editor.number(label).fill(String(value));
        await editor.number(label).press("Enter");
      }
    };
    await put({ 左: 20, 上: 20, 宽: 100, 高: 70 });
    await page.getByRole("button", { name: "加文字" }).tap();
    await expect(editor.field).toBeFocused();
    await page.keyboard.type("海边的夏天");
    await page.keyboard.press("Escape");
    const text = editor.texts.first();
    await put({ 左: 20, 上: 91, 宽: 110 });
    await editor.panel("属性").tap();
    await page.getByRole("button", { name: "适合窗口" }).tap();

    await editor.panel("属性").tap();
    const isWhole = async () => {
      const [stage, box] = [await editor.stage.boundingBox(), await text.boundingBox()];
      return stage !== null && box !== null && box.x >= stage.x && box.y >= stage.y && box.x + box.width <= stage.x + stage.width && box.y + box.height <= stage.y + stage.height;
    };
    await expect.poll(isWhole).toBe(true);
    await editor.panel("属性").tap();
    await page.getByRole("button", { name: "适合窗口" }).tap();

    const fingers = await Fingers.on(page);
    await fingers.tap(await within(photo, 0.5, 0.4));
    await expect(photo).toHaveAttribute("aria-pressed", "true");
    await fingers.tap(await within(text));
    await expect(text).toHaveAttribute("aria-pressed", "true");
    await expect(photo).toHaveAttribute("aria-pressed", "false");

    // in a large photo there is room for the grip that swaps
    await fingers.tap(await within(photo, 0.5, 0.4));
    for (let press = 0; press < 4; press += 1) await page.getByRole("button", { name: "放大", exact: true }).tap();
    const isInside = async () => {
      const [box, grip] = [await photo.boundingBox(), await page.locator(".outline .swapper").boundingBox()];
      return box !== null && grip !== null && grip.y > box.y && grip.y + grip.height < box.y + box.height;
    };
    await expect.poll(isInside).toBe(true);
  });

  test("what a thumb presses beside the page is 44 px large, and what takes pages away stands apart", async ({ page, signedIn: _ }) => {
    const editor = await opened(page);
    await editor.open(2);
    const small = () =>
      page.locator(".tools :is(a, button), .acts > *, .panels :is(button, select, input)").evaluateAll((all) =>
        all.flatMap((one) => {
          const { width, height } = one.getBoundingClientRect();
          return width > 0 && Math.min(width, height) < 43.9 ? [`${one.getAttribute("aria-label") ?? one.textContent} ${width}×${height}`] : [];
        }),
      );
    expect(await small()).toEqual([]);
    const strip = page.getByRole("navigation", { name: "书页" });
    const [layout, away] = [await strip.getByRole("link", { name: "版式" }).boundingBox(), await strip.getByRole("button", { name: /删去$/ }).boundingBox()];
    expect((away?.x ?? 0) - (layout?.x ?? 0) - (layout?.width ?? 0)).toBeGreaterThanOrEqual(16);
    await page.getByRole("button", { name: "加矩形" }).tap();
    await editor.panel("属性").tap();
    await expect(page.getByRole("button", { name: "不填色" })).toBeVisible();
    expect(await small()).toEqual([]);
    await page.getByRole("button", { name: "加文字" }).tap();
    await expect(editor.field).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("group", { name: "对齐方式" })).toBeVisible();
    expect(await small()).toEqual([]);
  });

  test("photos of layers and small pages are not fetched before the open page stands", async ({ page, signedIn: _ }) => {
    const editor = await opened(page);
    const number = await withPhoto(editor);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    // the open page's picture does not come, in whatever width
    const ofPage = `/page/${number}/`;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(({ pathname }) => pathname.includes(ofPage), async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`/manager/opus_list_edit?id=${editor.work}&page=${number}`, { waitUntil: "commit" });
    // the editor comes all the same
    await expect(page.getByRole("button", { name: "适合窗口" })).toBeVisible();
    await expect(editor.paper(number)).toBeVisible();
    await page.waitForTimeout(1000);
    const pictures = () => asked.filter((path) => /\/page\/|\/photo\/|\/layer\/|\/backdrop\//.test(path));
    expect(pictures()).not.toEqual([]);
    expect(pictures().filter((path) => !path.includes(ofPage))).toEqual([]);
    release();
    await expect(editor.photos.first()).toBeVisible();
    await expect.poll(() => pictures().some((path) => /\/photo\//.test(path))).toBe(true);
  });
});

test("the pages have the whole screen, and give it back", async ({ page, signedIn: _ }) => {
  const editor = await opened(page);
  await editor.open(2);
  const across = async () => {
    const [left, right] = [await editor.paper(2).boundingBox(), await editor.paper(3).boundingBox()];
    return (right?.x ?? 0) + (right?.width ?? 0) - (left?.x ?? 0);
  };
  const before = await across();
  await page.getByRole("button", { name: "专注" }).click();
  await expect(page.getByRole("navigation", { name: "书页" })).toBeHidden();
  await expect(page.getByRole("banner").getByText("栏目")).toBeHidden();
  await expect.poll(across).toBeGreaterThan(before + 150);
  await page.keyboard.press("f");
  await expect(page.getByRole("navigation", { name: "书页" })).toBeVisible();
  await expect.poll(across).toBeCloseTo(before, 0);
});

test("the tray is sifted by what is used, and a new text stands where nothing stands", async ({ page, signedIn: _ }) => {
  const editor = await opened(page);
  const number = await withPhoto(editor);
  await editor.open(number);
  await editor.panel("照片").click();
  const tray = page.getByRole("complementary", { name: "面板" }).getByRole("listitem").getByRole("button");
  await expect(tray).toHaveCount(4);
  const used = await page.getByRole("complementary", { name: "面板" }).getByRole("button", { name: /，已用/ }).count();
  await page.getByRole("combobox", { name: "筛选照片" }).selectOption("没用过的");
  await expect(tray).toHaveCount(4 - used);
  await page.getByRole("combobox", { name: "筛选照片" }).selectOption("用过的");
  await expect(tray).toHaveCount(used);
  await page.getByRole("button", { name: "加文字" }).click();
  await page.keyboard.type("海风");
  await page.keyboard.press("Escape");
  await expect.poll(async () => (await editor.elements(number)).some(({ text }) => text === "海风")).toBe(true);
  const elements = await editor.elements(number);
  const text = elements.find((element) => element.text === "海风")?.frame;
  const photo = elements.find(({ kind }) => kind === "photo")?.frame;
  if (!text || !photo) throw new Error("nothing there");
  const isApart = text.y >= photo.y + photo.height || text.y + text.height <= photo.y || text.x >= photo.x + photo.width || text.x + text.width <= photo.x;
  expect(isApart).toBe(true);
});
