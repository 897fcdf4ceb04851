import assert from "node:assert/strict";
import { test } from "node:test";
import { aligned, distributed, readingOrder } from "./arrange.js";
import { fill, followed, panned, roundCrop, zoomed } from "./crop.js";
import { plain } from "./edit.js";
import { type Before, move, pinchCrop, resize, resizeAll } from "./gestures.js";
import { candidatesOf, snap } from "./snapping.js";

const PAGE = { width: 200, height: 200 };
const MARGIN = 15;
const OTHER = { x: 20, y: 100, width: 40, height: 30 };
const FREE = { shift: false, alt: false, free: true };
const DRAWN = { ...FREE, free: false };
const item: Before = { id: "a", frame: { x: 50, y: 50, width: 40, height: 20 }, rotation: 0, kind: "photo", crop: { x: 0, y: 0, width: 1, height: 1 } };
const candidates = candidatesOf(PAGE, MARGIN, [OTHER]);

test("frames are drawn to edges, middles, the safe area, the margins and the page's middle", () => {
  const drawn = (x: number, y: number) => {
    const box = { x, y, width: 40, height: 20 };
    const { dx, dy } = snap(box, candidates, 2);
    return [x + dx, y + dy];
  };
  assert.deepEqual(drawn(21, 150), [20, 150], "another's left edge");
  assert.deepEqual(drawn(61.5, 160), [60, 160], "another's right edge");
  assert.deepEqual(drawn(79, 91.2), [80, 90], "the page's middle, and another's edge below");
  assert.deepEqual(drawn(4, 40), [5, 40], "the safe area");
  assert.deepEqual(drawn(14, 166), [15, 165], "the margins of layouts");
  assert.deepEqual(drawn(100, 40), [100, 40], "nothing is near");
});

test("equal gaps draw, after two others and between them", () => {
  const row = candidatesOf(PAGE, MARGIN, [{ x: 10, y: 50, width: 20, height: 20 }, { x: 37, y: 50, width: 20, height: 20 }]);
  const box = (x: number) => snap({ x, y: 52, width: 13.4, height: 13 }, row, 1).dx + x;
  assert.equal(box(63.7), 64);
  const wide = candidatesOf(PAGE, MARGIN, [{ x: 10, y: 50, width: 20, height: 20 }, { x: 71, y: 50, width: 20, height: 20 }]);
  assert.equal(snap({ x: 43.4, y: 52, width: 13.4, height: 13 }, wide, 1).dx + 43.4, 43.8);
  // both gaps are shown, each as a line across it
  const shown = snap({ x: 63.7, y: 52, width: 13.4, height: 13 }, row, 1).guides.filter(({ axis }) => axis === "y");
  assert.deepEqual(shown, [{ axis: "y", at: 58.5, from: 30, to: 37 }, { axis: "y", at: 58.5, from: 57, to: 64 }]);
  // what lies over all of them is in nobody's way
  const covered = candidatesOf(PAGE, MARGIN, [...row.others, { x: 15, y: 45, width: 150, height: 30 }]);
  assert.equal(snap({ x: 63.7, y: 52, width: 13.4, height: 13 }, covered, 0.4).dx + 63.7, 64);
});

test("Shift keeps an axis, Ctrl leaves the lines alone, and a line that is lain on is told", () => {
  const moved = (by: { x: number; y: number }, keys = FREE) => move([item], by, keys, candidates, 2).placed.get("a")?.frame;
  assert.deepEqual(moved({ x: 7, y: 3 }), { x: 57, y: 53, width: 40, height: 20 });
  assert.deepEqual(moved({ x: 7, y: 3 }, { ...FREE, shift: true }), { x: 57, y: 50, width: 40, height: 20 });
  const { guides, placed } = move([item], { x: -29, y: 10 }, DRAWN, candidates, 2);
  assert.equal(placed.get("a")?.frame.x, 20);
  assert.deepEqual(guides.map(({ axis, at }) => [axis, at]).sort(), [["x", 20], ["x", 40], ["x", 60]]);
});

test("a photo's corner keeps its shape and its crop, its side changes the frame and the crop follows", () => {
  const corner = resize(item, { across: 1, down: 1 }, { x: 20, y: 0 }, FREE, candidates, 2).placed.get("a");
  assert.deepEqual([corner?.frame.width, corner?.frame.height], [60, 30]);
  assert.deepEqual(corner?.crop, item.crop);
  const side = resize(item, { across: 1, down: 0 }, { x: -20, y: 0 }, FREE, candidates, 2).placed.get("a");
  assert.deepEqual([side?.frame.width, side?.frame.height], [20, 20]);
  assert.deepEqual(side?.crop, { x: 0.25, y: 0, width: 0.5, height: 1 });
});

test("a crop stays in its photo and keeps its frame's shape", () => {
  assert.deepEqual(fill({ width: 300, height: 200 }, { width: 100, height: 100 }), { x: (1 - 2 / 3) / 2, y: 0, width: 2 / 3, height: 1 });
  const wider = followed({ x: 0.25, y: 0, width: 0.5, height: 1 }, { width: 20, height: 20 }, { width: 60, height: 20 });
  assert.equal(wider.width / wider.height, 1.5);
  assert.deepEqual([wider.x, wider.width], [0, 1]);
  const crop = { x: 0.2, y: 0.2, width: 0.4, height: 0.4 };
  assert.deepEqual(panned(crop, { width: 40, height: 40 }, 500, -1000), { x: 0, y: 0.6, width: 0.4, height: 0.4 });
  const near = zoomed(crop, 2);
  assert.deepEqual(roundCrop(near), { x: 0.3, y: 0.3, width: 0.2, height: 0.2 });
  assert.equal(zoomed(crop, 0.01).width, 1, "no more than the whole photo");
});

test("a photo is enlarged in its frame about the hand, in a turned frame, too", () => {
  const before = { ...item, crop: { x: 0.2, y: 0.2, width: 0.4, height: 0.4 } };
  // a quarter from the left, in the middle from the top
  const near = pinchCrop(before, 2, { x: 60, y: 60 }, { x: 0, y: 0 })?.crop;
  assert.deepEqual(near && roundCrop(near), { x: 0.25, y: 0.3, width: 0.2, height: 0.2 });
  const turned = pinchCrop({ ...before, rotation: 90 }, 2, { x: 70, y: 50 }, { x: 0, y: 0 })?.crop;
  assert.deepEqual(turned && roundCrop(turned), { x: 0.25, y: 0.3, width: 0.2, height: 0.2 });
  const pushed = pinchCrop(before, 2, { x: 60, y: 60 }, { x: 4, y: 0 })?.crop;
  assert.deepEqual(pushed && roundCrop(pushed), { x: 0.23, y: 0.3, width: 0.2, height: 0.2 });
});

test("words from anywhere come plain, and no longer than a text may be", () => {
  assert.equal(plain("一\r\n二\r三\u2028四\u000b五\t六"), "一\n二\n三\n四五\t六");
  assert.equal(Array.from(plain("😀".repeat(501))).length, 500);
});

test("several are put on a line and at equal gaps; rows are read from the left", () => {
  const items = [
    { id: "a", frame: { x: 0, y: 5, width: 10, height: 10 }, rotation: 0 },
    { id: "b", frame: { x: 50, y: 0, width: 10, height: 10 }, rotation: 0 },
    { id: "c", frame: { x: 12, y: 40, width: 10, height: 10 }, rotation: 0 },
  ];
  assert.deepEqual([...aligned(items, "left")].map(([id, { x }]) => [id, x]), [["b", 0], ["c", 0]]);
  assert.deepEqual([...distributed(items, "x")].map(([id, { x }]) => [id, x]), [["c", 25]]);
  assert.deepEqual(readingOrder(items), ["a", "b", "c"]);
});

test("several are pulled as one: corners keep their shape, sides stretch, what lies opposite stays", () => {
  const other: Before = { id: "b", frame: { x: 110, y: 90, width: 40, height: 20 }, rotation: 0, kind: "text" };
  const corner = { across: 1, down: 1 } as const;
  const frames = (pull: Parameters<typeof resizeAll>[1], by: { x: number; y: number }, keys = FREE, items = [item, other]) =>
    [...resizeAll(items, pull, by, keys, candidates, 2).placed.values()].map(({ frame }) => frame);
  // the box around both is 100 by 60 from (50, 50)
  assert.deepEqual(frames(corner, { x: 50, y: 10 }), [{ x: 50, y: 50, width: 60, height: 30 }, { x: 140, y: 110, width: 60, height: 30 }]);
  assert.deepEqual(frames({ across: 1, down: 0 }, { x: 50, y: 0 }), [{ x: 50, y: 50, width: 60, height: 20 }, { x: 140, y: 90, width: 60, height: 20 }]);
  assert.deepEqual(frames(corner, { x: 50, y: 0 }, { ...FREE, shift: true })[1], { x: 140, y: 90, width: 60, height: 20 });
  // from the middle, twice as far
  assert.deepEqual(frames(corner, { x: 25, y: 0 }, { ...FREE, alt: true })[0], { x: 25, y: 35, width: 60, height: 30 });
  // a turned one can't be stretched across
  const turned = { ...other, rotation: 30 };
  const [first, second] = frames({ across: 1, down: 1 }, { x: 40, y: 0 }, { ...FREE, shift: true }, [item, turned]);
  assert.ok(first && second);
  assert.ok(Math.abs(first.width / first.height - 2) < 1e-9 && Math.abs(second.width / second.height - 2) < 1e-9);
  // none gets shorter than a millimetre
  assert.ok(frames(corner, { x: -500, y: -500 }).every(({ width, height }) => width >= 1 - 1e-9 && height >= 1 - 1e-9));
  // its crop follows a photo's frame
  assert.deepEqual(resizeAll([item, other], { across: 1, down: 0 }, { x: 100, y: 0 }, FREE, candidates, 2).placed.get("a")?.crop, { x: 0, y: 0.25, width: 1, height: 0.5 });
});
