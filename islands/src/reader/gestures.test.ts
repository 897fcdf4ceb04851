import assert from "node:assert/strict";
import { test } from "node:test";
import { ofKey, ofSwipe, ofTap } from "./gestures.js";

test("a swipe to the left goes on, and back in a book that is read the other way", () => {
  assert.equal(ofSwipe(-80, 10, false), "next");
  assert.equal(ofSwipe(-80, 10, true), "before");
  assert.equal(ofSwipe(80, -10, false), "before");
  assert.equal(ofSwipe(-30, 0, false), undefined, "a trembling finger turns nothing");
  assert.equal(ofSwipe(-80, 100, false), undefined, "who scrolls turns nothing");
});

test("the outer quarters of a page turn it", () => {
  assert.deepEqual([0.1, 0.5, 0.9].map((at) => ofTap(at, false)), ["before", undefined, "next"]);
  assert.deepEqual([0.1, 0.5, 0.9].map((at) => ofTap(at, true)), ["next", undefined, "before"]);
});

test("keys do what readers expect of them", () => {
  assert.equal(ofKey("ArrowRight", false), "next");
  assert.equal(ofKey("ArrowRight", true), "before");
  assert.equal(ofKey("PageDown", true), "next");
  assert.equal(ofKey("Home", false), "first");
  assert.equal(ofKey("End", false), "last");
  assert.equal(ofKey("a", false), undefined);
});
