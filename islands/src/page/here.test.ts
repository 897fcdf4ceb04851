import assert from "node:assert/strict";
import { test } from "node:test";
import { isAnothers, note, type Last } from "./here.js";

test("a kept page is shown to whom it was made for, and to nobody else", () => {
  const last: Last = {};
  assert.ok(!isAnothers("ada", last), "nobody was here before");
  note("ada", last);
  assert.ok(!isAnothers("ada", last));
  // signed out: the sign-in page is nobody's
  note("", last);
  assert.ok(isAnothers("ada", last));
  note("ben", last);
  assert.ok(isAnothers("ada", last));
  assert.ok(isAnothers("", last));
});

test("what is for everybody is shown to everybody, and says of nobody that he left", () => {
  const last: Last = {};
  note("ada", last);
  note(undefined, last);
  assert.ok(!isAnothers(undefined, last));
  assert.ok(!isAnothers("ada", last));
});
