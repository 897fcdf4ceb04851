import assert from "node:assert/strict";
import { test } from "node:test";
import { drawn, heldBy, holds, moved } from "./areas.js";

test("whatever is drawn lies on the page", () => {
  assert.deepEqual(drawn({ x: 300, y: 200 }, { x: 100, y: 400 }), { x: 100, y: 200, width: 200, height: 200 });
  assert.deepEqual(drawn({ x: -50, y: 900 }, { x: 100.4, y: 1200 }), { x: 0, y: 900, width: 100, height: 100 });
  assert.equal(drawn({ x: 1, y: 1 }, { x: 5, y: 500 }), undefined);
});

test("what is moved stays on the page and keeps its size", () => {
  const place = { x: 800, y: 10, width: 150, height: 90 };
  assert.deepEqual(moved(place, 500, -500), { x: 850, y: 0, width: 150, height: 90 });
});

test("a corner is held by the one across", () => {
  const place = { x: 100, y: 100, width: 200, height: 300 };
  assert.deepEqual(heldBy(place, { x: 305, y: 395 }, { x: 20, y: 20 }), { x: 100, y: 100 });
  assert.deepEqual(heldBy(place, { x: 95, y: 405 }, { x: 20, y: 20 }), { x: 300, y: 100 });
  assert.equal(heldBy(place, { x: 200, y: 100 }, { x: 20, y: 20 }), undefined);
  assert.ok(holds(place, { x: 200, y: 200 }) && !holds(place, { x: 99, y: 200 }));
});
