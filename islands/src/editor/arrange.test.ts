import assert from "node:assert/strict";
import { test } from "node:test";
import { freePlace } from "./arrange.js";

const page = { width: 200, height: 200 };
const size = { width: 100, height: 14 };

test("something new stands in the middle of an empty page", () => {
  assert.deepEqual(freePlace(page, size, [], 15), { x: 50, y: 93, ...size });
});

test("it stands below a photo rather than on it or above", () => {
  const { y } = freePlace(page, size, [{ x: 20, y: 40, width: 160, height: 120 }], 15);
  assert.ok(y >= 162 && y + 14 <= 185, String(y));
});

test("it stands beside what leaves no room above and below", () => {
  const { x } = freePlace(page, { width: 60, height: 14 }, [{ x: 0, y: 0, width: 110, height: 200 }], 15);
  assert.equal(x, 125);
});

test("it keeps to the margins, and on a full page to the middle", () => {
  const photo = { x: 0, y: 0, width: 200, height: 184 };
  assert.deepEqual(freePlace(page, size, [photo], 15), { x: 50, y: 93, ...size });
});
