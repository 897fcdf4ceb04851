// The hand in the editor: what begins a drag, what keys change of it, how the stage is enlarged and pushed, and by touch.
import type { Page } from "@playwright/test";
import { EditorPage } from "../../pages/EditorPage.js";
import { expect, test } from "../../support/test.js";
import { Fingers } from "../../support/fingers.js";
import { blank, idOf } from "../../support/making.js";
import { middle } from "../../support/still.js";

/** A blank album with pages 2 and 3 open, and nothing at all on page 2. */
async function opened(page: Page): Promise<EditorPage> {
  const editor = new EditorPage(page, idOf(await blank(page, "手上的书")));
  await editor.open(2);
  await editor.texts.first().focus();
  await page.keyboard.press("Delete");
  await expect(editor.paper(2).getByRole("button")).toHaveCount(0);
  return editor;
}

/** The shapes of a page as the server has them. */
const shapes = async (editor: EditorPage, number = 2) => (await editor.elements(number)).filter(({ kind }) => kind === "shape");

/** Adds a shape at a place of page 2, in mm, and leaves it alone. */
async function put(editor: EditorPage, name: "矩形" | "椭圆" | "线条", numbers: Record<string, number>): Promise<void> {
  await editor.page.getByRole("button", { name: `加${name}` }).click();
  for (const [label, value] of Object.entries(numbers)) {
    await editor.number(label).fill(String(value));
    await editor.number(label).press("Enter");
  }
  await editor.stage.click({ position: { x: 3, y: 3 } });
}

test("a press is a drag after four pixels; Shift keeps an axis, Esc restores, Alt leaves what stood there", async ({ page, signedIn: _ }) => {
  const editor = await opened(page);
  await page.getByRole("button", { name: "加矩形" }).click();
  const rect = editor.shape("矩形");
  const { x, y, width } = await middle(rect);
  await expect.poll(async () => (await shapes(editor)).length).toBe(1);
  const [before] = await shapes(editor);
  if (!before) throw new Error("no rectangle");
  const frames = async () => (await shapes(editor)).map(({ frame }) => frame);
  const mm = before.frame.width / width;

  // three pixels are none, four are; lines leave it alone while Ctrl is held
  await page.keyboard.down("Control");
  for (const by of [3, 4]) {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + by, y);
    await page.mouse.up();
    await expect.poll(async () => (await middle(rect)).x).toBeCloseTo(by < 4 ? x : x + by, 0);
  }
  await page.keyboard.press("Control+z");
  await expect.poll(() => middle(rect)).toMatchObject({ x, y });

  // held with Shift it goes along one axis
  await page.keyboard.down("Control");
  await page.keyboard.down("Shift");
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 50, y + 20, { steps: 5 });
  await expect.poll(() => middle(rect)).toMatchObject({ y });
  await page.keyboard.up("Shift");
  await expect.poll(async () => (await middle(rect)).y).toBeCloseTo(y + 20, 1);
  // Esc puts it back, and what the hand does from then on is nothing
  await page.keyboard.press("Escape");
  await expect.poll(() => middle(rect)).toMatchObject({ x, y });
  await page.mouse.move(x + 80, y + 80);
  await page.mouse.up();
  await page.keyboard.up("Control");
  await expect.poll(() => middle(rect)).toMatchObject({ x, y });
  await expect(editor.undo).toHaveAttribute("title", /加图形/);

  // Alt: what stood there is still seen there while the hand has another
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.keyboard.down("Control");
  await page.mouse.move(x + 40, y + 30, { steps: 4 });
  await page.keyboard.down("Alt");
  await expect(editor.paper(2).locator(".layer.shape")).toHaveCount(2);
  await page.mouse.move(x + 60, y + 40);
  await page.mouse.up();
  await page.keyboard.up("Alt");
  await page.keyboard.up("Control");
  await expect(rect).toHaveCount(2);
  await expect.poll(async () => (await frames()).length).toBe(2);
  const [stays, copy] = await frames();
  expect(stays).toEqual(before.frame);
  expect(copy?.x).toBeCloseTo(before.frame.x + 60 * mm, 1);
  expect(copy?.y).toBeCloseTo(before.frame.y + 40 * mm, 1);

  // over the page beside it the copy belongs there
  await page.mouse.move(x + 60, y + 40);
  await page.mouse.down();
  await page.keyboard.down("Alt");
  const other = await middle(editor.paper(3));
  await page.mouse.move(other.x, other.y, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Alt");
  await expect(editor.paper(3).getByRole("button", { name: /^图形，矩形/ })).toHaveCount(1);
  await expect.poll(async () => (await shapes(editor, 3)).length).toBe(1);
  await expect.poll(frames).toHaveLength(2);
});

test("lines that something lies on are shown; equal gaps, too", async ({ page, signedIn: _ }) => {
  const editor = await opened(page);
  await put(editor, "矩形", { 宽: 20, 高: 20, 左: 13, 上: 40 });
  await put(editor, "矩形", { 宽: 20, 高: 20, 左: 42, 上: 43 });
  await put(editor, "椭圆", { 宽: 20, 高: 20, 左: 72.2, 上: 47 });
  const ellipse = editor.shape("椭圆");
  const { x, y, width } = await middle(ellipse);
  const lines = page.locator(".guide-lines i");
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 6, y);
  // nine millimetres between the first two, and as much to the third
  await page.mouse.move(x, y + 6);
  await expect(lines.and(page.locator(".y"))).not.toHaveCount(0);
  const lengths = await lines.evaluateAll((all) => all.map((line) => line.getBoundingClientRect().width));
  expect(lengths.filter((length) => Math.abs(length - 9 * (width / 20)) < 0.5)).toHaveLength(2);
  await page.mouse.up();
  await expect(lines).toHaveCount(0);
  await expect.poll(async () => (await editor.elements(2)).at(-1)?.frame.x).toBe(71);
});

test("arrows held down are one step, however long the system waits before it repeats them", async ({ page, signedIn: _ }) => {
  await page.clock.install();
  const editor = await opened(page);
  await page.getByRole("button", { name: "加矩形" }).click();
  const left = async () => Number(await editor.number("左").inputValue());
  const before = await left();
  await page.keyboard.down("ArrowRight");
  await page.clock.fastForward(700);
  for (let times = 0; times < 4; times += 1) await page.keyboard.down("ArrowRight");
  await page.keyboard.up("ArrowRight");
  await expect.poll(left).toBeCloseTo(before + 5, 2);
  // another press later is another step
  await page.clock.fastForward(700);
  await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(left).toBeCloseTo(before + 15, 2);
  await page.keyboard.press("Control+z");
  await expect.poll(left).toBeCloseTo(before + 5, 2);
  await page.keyboard.press("Control+z");
  await expect.poll(left).toBe(before);
  await expect(editor.undo).toHaveAttribute("title", /加图形/);
});

test("the wheel with Ctrl enlarges about the pointer; keys fit the spread and the selection; Space and the middle button push", async ({ page, signedIn: _ }) => {
  const editor = await opened(page);
  await put(editor, "矩形", { 左: 20 });
  await put(editor, "椭圆", { 左: 90 });
  const [rect, ellipse, paper] = [editor.shape("矩形"), editor.shape("椭圆"), editor.paper(2)];
  const [fits, stage] = [await middle(paper), await middle(editor.stage)];
  const { x, y, width } = await middle(rect);

  // the point under the pointer stays, in and out again: wheels know whole pixels
  const hand = { x: Math.round(x) + 20, y: Math.round(y) - 10 };
  const under = async () => {
    const now = await middle(rect);
    return [(hand.x - now.x) / now.width, (hand.y - now.y) / now.height].map((share) => Math.round(share * 100));
  };
  const held = await under();
  await page.mouse.move(hand.x, hand.y);
  await page.keyboard.down("Control");
  for (const turns of [-100, -100, -100, 100]) {
    const before = (await middle(rect)).width;
    await page.mouse.wheel(0, turns);
    await expect.poll(async () => Math.sign((await middle(rect)).width - before)).toBe(-Math.sign(turns));
    await expect.poll(under).toEqual(held);
  }
  await page.keyboard.up("Control");
  await expect.poll(async () => (await middle(rect)).width).toBeGreaterThan(width * 1.4);
  // it is the editor that is larger, not the browser's page
  expect(await page.evaluate(() => [visualViewport?.scale, innerWidth])).toEqual([1, 1280]);

  // the wheel alone pushes
  const near = await middle(paper);
  await page.mouse.wheel(30, 50);
  await expect.poll(async () => (await middle(paper)).y).toBeCloseTo(near.y - 50, 0);
  await expect.poll(async () => (await middle(paper)).x).toBeCloseTo(near.x - 30, 0);

  await page.keyboard.press("Control+0");
  await expect.poll(() => middle(paper)).toEqual(fits);
  // both that are selected, as large as they fit
  await rect.click();
  await ellipse.click({ modifiers: ["Shift"] });
  await page.keyboard.press("Shift+Digit2");
  await expect.poll(async () => (await middle(paper)).width).toBeGreaterThan(fits.width * 1.2);
  const [one, other] = [await middle(rect), await middle(ellipse)];
  expect((one.x + other.x) / 2).toBeCloseTo(stage.x, 0);
  expect(one.x - one.width / 2).toBeGreaterThan(stage.x - stage.width / 2);
  expect(other.x + other.width / 2).toBeLessThan(stage.x + stage.width / 2);
  await page.keyboard.press("Shift+Digit1");
  await expect.poll(() => middle(paper)).toEqual(fits);

  // Space held: whatever lies under the hand, the stage goes
  await page.keyboard.down("Space");
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 40, y + 25, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Space");
  await expect.poll(async () => (await middle(paper)).x).toBeCloseTo(fits.x + 40, 0);
  await page.mouse.down({ button: "middle" });
  await page.mouse.move(x, y, { steps: 4 });
  await page.mouse.up({ button: "middle" });
  await expect.poll(() => middle(paper)).toEqual(fits);
  await expect(editor.undo).toHaveAttribute("title", /移动/);
});

test("at an edge the stage goes along after a moment, and what the hand has stays under it", async ({ page, signedIn: _ }) => {
  await page.clock.install();
  const editor = await opened(page);
  await page.getByRole("button", { name: "加矩形" }).click();
  const [rect, paper] = [editor.shape("矩形"), editor.paper(2)];
  const [{ x, y }, begun, stage] = [await middle(rect), await middle(paper), await middle(editor.stage)];
  const edge = stage.x + stage.width / 2 - 10;
  // from here on time is what is said
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.keyboard.down("Control");
  await page.mouse.move(x + 20, y);
  await page.mouse.move(edge, y, { steps: 3 });
  await page.clock.runFor(180);
  await expect.poll(async () => (await middle(paper)).x).toBe(begun.x);
  await page.clock.runFor(300);
  await expect.poll(async () => (await middle(paper)).x).toBeLessThan(begun.x - 30);
  await page.mouse.move(edge - 60, y);
  const rested = await middle(paper);
  await expect.poll(async () => (await middle(rect)).x).toBeCloseTo(edge - 60, 0);
  await page.clock.runFor(400);
  await expect.poll(async () => (await middle(paper)).x).toBeCloseTo(rested.x, 0);
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await page.keyboard.up("Control");

  // marking with a rectangle, too
  await page.keyboard.press("Control+0");
  await page.mouse.move(begun.x, begun.y + begun.height / 2 + 12);
  await page.mouse.down();
  await page.mouse.move(begun.x + 20, begun.y + 20);
  await page.mouse.move(edge, begun.y, { steps: 3 });
  await page.clock.runFor(500);
  await expect.poll(async () => (await middle(paper)).x).toBeLessThan(begun.x - 30);
  await expect(rect).toHaveAttribute("aria-pressed", "true");
  await page.mouse.up();
});

test("a handle turns by whole degrees, with Shift by fifteen, and pulls from the middle with Alt", async ({ page, signedIn: _ }) => {
  const editor = await opened(page);
  await page.getByRole("button", { name: "加矩形" }).click();
  const { x, y, width } = await middle(editor.shape("矩形"));
  const angle = editor.number("角度");
  const turner = await middle(page.locator("[data-turn]"));
  const up = turner.y - y;
  const at = (degrees: number) => {
    const radians = (degrees * Math.PI) / 180;
    return [x - up * Math.sin(radians), y + up * Math.cos(radians)] as const;
  };
  await page.mouse.move(turner.x, turner.y);
  await page.mouse.down();
  await page.mouse.move(...at(20), { steps: 3 });
  await page.mouse.move(...at(33.3));
  await page.mouse.up();
  await expect(angle).toHaveValue("33");
  await page.mouse.move(...at(33));
  await page.mouse.down();
  await page.keyboard.down("Shift");
  await page.mouse.move(...at(50), { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await expect(angle).toHaveValue("45");
  await editor.undo.click();
  await editor.undo.click();
  await expect(angle).toHaveValue("0");

  // a side pulled with Alt goes both ways
  const side = await middle(page.locator("[data-handle=e]"));
  await page.mouse.move(side.x, side.y);
  await page.mouse.down();
  await page.keyboard.down("Alt");
  await page.keyboard.down("Control");
  await page.mouse.move(side.x + 20, side.y, { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up("Alt");
  await page.keyboard.up("Control");
  await expect.poll(async () => (await middle(editor.shape("矩形"))).width).toBeCloseTo(width + 40, 0);
  await expect.poll(async () => (await middle(editor.shape("矩形"))).x).toBeCloseTo(x, 0);
});

test("a rectangle marks what it touches, Ctrl+A the page, Tab goes in reading order, and Esc clears", async ({ page, signedIn: _ }) => {
  const editor = await opened(page);
  await put(editor, "矩形", { 左: 100, 上: 20 });
  await put(editor, "椭圆", { 左: 20, 上: 22 });
  await put(editor, "线条", { 左: 40, 上: 120 });
  const [rect, ellipse, line] = [editor.shape("矩形"), editor.shape("椭圆"), editor.shape("线条")];
  const pressed = () => Promise.all([rect, ellipse, line].map((shape) => shape.getAttribute("aria-pressed")));
  const [one, other, paper] = [await middle(ellipse), await middle(rect), await middle(editor.paper(2))];
  await page.mouse.move(paper.x - paper.width / 2 + 8, paper.y - paper.height / 2 + 8);
  await page.mouse.down();
  await page.mouse.move(one.x, one.y, { steps: 3 });
  await page.mouse.move(other.x, other.y, { steps: 3 });
  await page.mouse.up();
  await expect.poll(pressed).toEqual(["true", "true", "false"]);
  await page.getByRole("button", { name: "同样大小" }).click();
  await page.keyboard.press("Escape");
  await expect.poll(pressed).toEqual(["false", "false", "false"]);
  await page.keyboard.press("Control+a");
  await expect.poll(pressed).toEqual(["true", "true", "true"]);
  await page.keyboard.press("Escape");
  await ellipse.click();
  await page.keyboard.press("Tab");
  await expect(rect).toBeFocused();
  await expect.poll(pressed).toEqual(["true", "false", "false"]);
  await page.keyboard.press("Tab");
  await expect(line).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(rect).toBeFocused();
});

test.describe("by touch", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test("six pixels are a drag, a finger that stays adds, two fingers enlarge, right angles draw", async ({ page, signedIn: _ }) => {
    await page.clock.install();
    const editor = await opened(page);
    await page.getByRole("button", { name: "加矩形" }).tap();
    await page.getByRole("button", { name: "加椭圆" }).tap();
    const [rect, ellipse] = [editor.shape("矩形"), editor.shape("椭圆")];
    const fingers = await Fingers.on(page);
    const begun = await middle(ellipse);

    // away from every line that would draw it; there, five pixels are none, and seven are
    await fingers.drag(begun, { x: begun.x - 64, y: begun.y + 110 });
    await expect.poll(async () => (await middle(ellipse)).x).toBeCloseTo(begun.x - 64, 0);
    for (const by of [5, 7]) {
      const { x, y } = await middle(ellipse);
      await fingers.drag({ x, y }, { x: x + by, y });
      await expect.poll(async () => (await middle(ellipse)).x).toBeCloseTo(by < 6 ? x : x + by, 0);
    }

    // a finger that stays half a second adds to what is selected
    await fingers.down(await middle(rect));
    await page.clock.fastForward(500);
    await fingers.up();
    await expect(ellipse).toHaveAttribute("aria-pressed", "true");
    await expect(rect).toHaveAttribute("aria-pressed", "true");

    // two fingers enlarge about the point between them, and push
    const paper = await middle(editor.paper(2));
    const about = { x: paper.x - 60, y: paper.y - 50 };
    const spread = (by: number, x = about.x, y = about.y) => [{ x: x - by, y }, { x: x + by, y }];
    await fingers.down(...spread(30));
    await fingers.move(spread(60, about.x + 10, about.y + 20));
    await fingers.up();
    await expect.poll(async () => (await middle(editor.paper(2))).width).toBeCloseTo(paper.width * 2, 0);
    await expect.poll(async () => (await middle(editor.paper(2))).x).toBeCloseTo(about.x + 10 + 60 * 2, 0);
    await expect.poll(async () => (await middle(editor.paper(2))).y).toBeCloseTo(about.y + 20 + 50 * 2, 0);
    expect(await page.evaluate(() => visualViewport?.scale)).toBe(1);
    await page.keyboard.press("Control+0");
    await expect.poll(() => middle(editor.paper(2))).toEqual(paper);

    // near a right angle the turned thing is drawn to it
    await fingers.tap(await middle(rect));
    await expect(ellipse).toHaveAttribute("aria-pressed", "false");
    const handle = page.locator("[data-turn]");
    const target = await handle.evaluate((node) => parseFloat(getComputedStyle(node).width) - 2 * parseFloat(getComputedStyle(node, "::after").left));
    expect(target).toBeGreaterThanOrEqual(44);
    const [centre, turner] = [await middle(rect), await middle(handle)];
    const at = (degrees: number) => {
      const [radians, up] = [(degrees * Math.PI) / 180, turner.y - centre.y];
      return { x: centre.x - up * Math.sin(radians), y: centre.y + up * Math.cos(radians) };
    };
    const angle = async () => (await shapes(editor))[0]?.rotation;
    await fingers.down(turner);
    await fingers.move([at(45)]);
    await fingers.move([at(86)]);
    await fingers.up();
    await expect.poll(angle).toBe(90);
  });
});
