import assert from "node:assert/strict";
import { test } from "node:test";
import { dividedDown, fenOf, grouped } from "./money.js";

test("yuan are read exactly, or not at all", () => {
  assert.equal(fenOf("1234.50"), 123_450);
  assert.equal(fenOf("0.07"), 7);
  assert.equal(fenOf("12"), 1200);
  assert.equal(fenOf("12.3"), 1230);
  assert.equal(fenOf("4.35"), 435);
  assert.equal(fenOf("90071992547409.91"), Number.MAX_SAFE_INTEGER);
  for (const text of ["", "1.234", "-1", "+1", "1,000", "1e3", " 1", "90071992547409.92", "NaN"]) {
    assert.equal(fenOf(text), undefined, text);
  }
});

test("yuan are written as the server writes them", () => {
  assert.equal(grouped(0), "0.00");
  assert.equal(grouped(7), "0.07");
  assert.equal(grouped(12_345), "123.45");
  assert.equal(grouped(123_450), "1,234.50");
  assert.equal(grouped(123_456_789_00), "123,456,789.00");
});

test("a share is rounded down", () => {
  assert.equal(dividedDown(1000, 3), 333);
  assert.equal(dividedDown(2, 3), 0);
  assert.equal(dividedDown(Number.MAX_SAFE_INTEGER, 7), Number(BigInt(Number.MAX_SAFE_INTEGER) / 7n));
});
