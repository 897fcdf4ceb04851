import assert from "node:assert/strict";
import { test } from "node:test";
import { later } from "./place.js";

test("of two devices the later one counts, and the way back is there where they differ", () => {
  const [phone, desk] = [{ page: 12, at: 2000 }, { page: 40, at: 1000 }];
  assert.deepEqual(later(phone, desk), [phone, desk]);
  assert.deepEqual(later(desk, phone), [phone, desk]);
  assert.deepEqual(later(phone, { page: 12, at: 1 }), [phone, undefined]);
  // a place without a moment is older than any
  assert.deepEqual(later({ page: 3, at: 0 }, desk)[0], desk);
});
