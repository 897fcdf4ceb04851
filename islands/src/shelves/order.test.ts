import assert from "node:assert/strict";
import { test } from "node:test";
import { over } from "./order.js";

test("what is carried comes before the first whose middle lies below it", () => {
  const others = [{ top: 0, height: 100 }, { top: 100, height: 100 }];
  assert.deepEqual([-10, 49, 51, 149, 151, 900].map((height) => over(others, height)), [0, 0, 1, 1, 2, 2]);
  assert.equal(over([], 10), 0);
});
