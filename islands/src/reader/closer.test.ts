import assert from "node:assert/strict";
import { test } from "node:test";
import { at, frameWidth, kept } from "./closer.js";

test("what is at a point stays there while the page grows", () => {
  // 100 of 400 pixels, a quarter; of 800 the quarter is at 200, and the point still at 60 of the window
  assert.equal(kept(40, 60, 400, 800), 140);
  assert.equal(kept(0, 0, 0, 500), 0, "nothing is scrolled before it is shown");
});

test("the tapped area fills the window", () => {
  const [lead, box] = [{ x: 0, y: 0, width: 0.5, height: 1 }, { x: 0.1, y: 0.1, width: 0.2, height: 0.1 }];
  assert.equal(at([lead, box], { x: 0.15, y: 0.15 }), box, "the smaller of two that lie over each other");
  assert.equal(at([lead, box], { x: 0.9, y: 0.5 }), undefined);
  assert.equal(frameWidth(lead, 360) * lead.width, 360 * 0.94);
  assert.equal(frameWidth({ ...box, width: 0.01 }, 360), 360 * 4, "a narrow one is not blown up without end");
});
