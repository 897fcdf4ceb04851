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
