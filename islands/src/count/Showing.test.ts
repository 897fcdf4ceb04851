import assert from "node:assert/strict";
import { test } from "node:test";
import { Showing } from "./Showing.js";

test("time in sight is told once, and what comes after is added", () => {
  const showing = new Showing("t", false);
  assert.equal(showing.tell(0), undefined, "nobody has seen it");
  showing.see(3, false, 0);
  assert.equal(showing.tell(0), undefined, "nor has it been in sight");
  showing.see(3, true, 100);
  showing.see(3, true, 400);
  assert.deepEqual(showing.tell(1_100)?.pages, [[3, 1_000]]);
  showing.see(3, false, 1_600);
  showing.see(4, true, 1_600);
  assert.deepEqual(showing.tell(2_600)?.pages, [[3, 500], [4, 1_000]]);
  assert.equal(showing.tell(2_600), undefined, "nothing new");
});

test("a page that was hardly seen was opened all the same", () => {
  const showing = new Showing("t", false);
  showing.see(1, true, 0);
  showing.see(1, false, 0);
  assert.deepEqual(showing.tell(0)?.pages, []);
  assert.equal(showing.tell(10), undefined);
});

test("what is pressed is told once", () => {
  const showing = new Showing("t", false);
  showing.see(1, true, 0);
  showing.press("a");
  showing.press("a");
  assert.deepEqual(showing.tell(0)?.areas, ["a", "a"]);
  assert.equal(showing.tell(0), undefined);
});
