import assert from "node:assert/strict";
import { test } from "node:test";
import { range } from "./range.js";

test("a range has both its ends, in either direction", () => {
  const all = ["a", "b", "c", "d"];
  assert.deepEqual(range(all, "b", "d"), ["b", "c", "d"]);
  assert.deepEqual(range(all, "d", "b"), ["b", "c", "d"]);
  assert.deepEqual(range(all, "c", "c"), ["c"]);
  assert.deepEqual(range(all, "x", "c"), []);
});
