import assert from "node:assert/strict";
import { test } from "node:test";
import { Book } from "./Book.js";
import { SMALL, View } from "./View.js";

/** A long line of words, in mm. */
const CAPTION = { x: 25, y: 172, width: 150, height: 9 };

/** A phone's stage above the sheet of a panel, and where a rectangle of its page is on it. */
function phone() {
  const page = { id: "p1", elements: [] };
  const book = new Book({ version: 2, trim: { width: 200, height: 200 }, theme: "calm", title: "山水之间", cover: { id: "cover", elements: [] }, pages: [page] }, 1);
  const view = new View(book, 1, false);
  view.stage.value = { width: 360, height: 255 };
  const [open] = view.open.peek();
  assert.ok(open);
  const edges = ({ x, y, width, height }: typeof CAPTION) => {
    const [origin, scale] = [view.origin.peek(), view.scale.peek()];
    const [left, top] = [origin.x + x * scale, origin.y + y * scale];
    return { left, top, right: left + width * scale, bottom: top + height * scale };
  };
  return { view, page: open.page, edges };
}

test("what is brought into sight is seen as a whole, be it ever so thin", () => {
  const { view, page, edges } = phone();
  view.bring(page, CAPTION, CAPTION.height);
  const { left, top, right, bottom } = edges(CAPTION);
  assert.ok(left >= 0 && top >= 0 && right <= 360 && bottom <= 255);
  assert.ok(right - left > 300, "as large as it fits");
});

test("a wide stage shows the front on its sheet, a phone the front alone", () => {
  const book = new Book({ version: 2, trim: { width: 200, height: 200 }, theme: "calm", title: "山水之间", cover: { id: "cover", elements: [] }, pages: [{ id: "p1", elements: [] }] }, 1);
  const view = new View(book, 0, false, { above: 3, right: 3, width: 416, height: 206, binding: "胶装" });
  const across = () => {
    const [{ x }, scale] = [view.origin.peek(), view.scale.peek()];
    return { front: [x, x + 200 * scale], sheet: [x + (view.cover.peek()?.x ?? 0) * scale, x + 203 * scale] };
  };
  view.stage.value = { width: 1000, height: 600 };
  assert.ok(across().sheet.every((edge) => edge >= 0 && edge <= 1000), "all of the sheet is seen");
  assert.ok((across().front[0] ?? 0) > 500, "the front lies on the right");
  view.stage.value = { width: 360, height: 500 };
  assert.ok(across().front.every((edge) => edge >= 0 && edge <= 360) && (across().sheet[0] ?? 0) < 0);
  // one step back shows all of it, one forward the front again
  view.zoomBy(0.8);
  assert.ok(across().sheet.every((edge) => edge >= 0 && edge <= 360));
  view.zoomBy(1.25);
  assert.deepEqual([view.zoom.peek(), view.seesCover.peek()], [1, false]);
  view.zoomBy(0.8);
  view.goTo(1);
  assert.deepEqual([view.cover.peek(), view.seesCover.peek()], [undefined, false]);
});

test("of what must be wider than the stage to be pulled, the part is seen at which its words begin", () => {
  const { view, page, edges } = phone();
  const shown = (begin?: number) => {
    view.fitTo(page, CAPTION, CAPTION.height, begin);
    const { left, top, right, bottom } = edges(CAPTION);
    assert.ok(bottom - top > SMALL);
    return [left, right].map((edge) => edge >= 0 && edge <= 360);
  };
  assert.deepEqual([shown(0), shown(1), shown()], [[true, false], [false, true], [false, false]]);
});
