import assert from "node:assert/strict";
import { test } from "node:test";
import { isDraft, keyOf, quantityIn } from "./choice.js";

test("a quantity is a whole number from 1 to 1,000,000 in digits", () => {
  assert.equal(quantityIn("1"), 1);
  assert.equal(quantityIn("1000000"), 1_000_000);
  assert.equal(quantityIn(" 007 "), 7);
  for (const text of ["", "0", "1000001", "1.5", "-1", "+1", "1e3", "十", "１"]) assert.equal(quantityIn(text), undefined, text);
});

test("choices that are kept as the same have the same key", () => {
  const choice = { cnums: ["a", "b"], quantity: "2", remark: "x" };
  assert.equal(keyOf(choice), keyOf({ ...choice, quantity: "02", remark: " x\n" }));
  assert.notEqual(keyOf(choice), keyOf({ ...choice, cnums: ["a", "c"] }));
  assert.notEqual(keyOf(choice), keyOf({ ...choice, quantity: "" }));
});

test("a draft is what this dialog writes", () => {
  assert.ok(isDraft({ base: "", cnums: ["a"], quantity: "1", remark: "" }));
  for (const value of [undefined, null, 7, {}, { base: "", cnums: [1], quantity: "1", remark: "" }]) assert.equal(isDraft(value), false);
});
