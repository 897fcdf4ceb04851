import assert from "node:assert/strict";
import { test } from "node:test";
import { typed, wholeIn } from "./typed.js";

test("what means the same is read as one", () => {
  assert.equal(typed(" １\u200b２—３\u3000４\ufeff"), "12-3 4");
});

test("a whole number may have its unit", () => {
  for (const [text, number] of [["２", 2], ["2 份", 2], ["1,000", 1000], ["1 234 567 本", 1_234_567], ["2\u200b", 2]] as const) {
    assert.equal(wholeIn(text, "份本"), number, text);
  }
  for (const text of ["", "-1", "+1", "1.5", "1,00", "1,000 000", "2 页", "份", "一"]) assert.equal(wholeIn(text, "份本"), undefined, text);
});
