import assert from "node:assert/strict";
import { test } from "node:test";
import { carriedOver, isDraft, keyOf, quantityIn } from "./choice.js";

test("a quantity is a whole number from 1 to 1,000,000 in digits", () => {
  assert.equal(quantityIn("1"), 1);
  assert.equal(quantityIn("1000000"), 1_000_000);
  assert.equal(quantityIn(" 007 "), 7);
  assert.equal(quantityIn("２ 本"), 2);
  for (const text of ["", "0", "1000001", "1.5", "-1", "+1", "1e3", "十"]) assert.equal(quantityIn(text), undefined, text);
});

test("choices that are kept as the same have the same key", () => {
  const choice = { cnums: ["a", "b"], quantity: "2", remark: "x" };
  assert.equal(keyOf(choice), keyOf({ ...choice, quantity: "02", remark: " x\n" }));
  assert.notEqual(keyOf(choice), keyOf({ ...choice, cnums: ["a", "c"] }));
  assert.notEqual(keyOf(choice), keyOf({ ...choice, quantity: "" }));
});

test("a draft is what this dialog writes", () => {
  const base = { cnums: ["a"], quantity: "1", remark: "" };
  assert.ok(isDraft({ ...base, base }));
  for (const value of [undefined, null, 7, {}, { ...base, base: "" }, { ...base, cnums: [1], base }]) assert.equal(isDraft(value), false);
});

test("a draft keeps what differs from an unchanged part of the line", () => {
  const base = { cnums: ["a", "b"], quantity: "1", remark: "x" };
  const draft = { cnums: ["c", "b"], quantity: "3", remark: "y", base };
  assert.deepEqual(carriedOver(draft, { ...base, quantity: "01" }), { cnums: ["c", "b"], quantity: "3", remark: "y" });
  assert.deepEqual(carriedOver(draft, { ...base, quantity: "9" }), { cnums: ["c", "b"], quantity: "9", remark: "y" });
  assert.deepEqual(carriedOver(draft, { ...base, cnums: ["d", "b"] }), { cnums: ["d", "b"], quantity: "3", remark: "y" });
});
