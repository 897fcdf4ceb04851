import assert from "node:assert/strict";
import { test } from "node:test";
import { isAnothers, note, type Kept } from "./here.js";

function storage(): Kept {
  const kept = new Map<string, string>();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
}

test("a kept page is shown to whom it was made for, and to nobody else", () => {
  const kept = storage();
  assert.ok(!isAnothers("ada", kept), "nobody was here before");
  note("ada", kept);
  assert.ok(!isAnothers("ada", kept));
  // signed out: the sign-in page is nobody's
  note("", kept);
  assert.ok(isAnothers("ada", kept));
  note("ben", kept);
  assert.ok(isAnothers("ada", kept));
  assert.ok(isAnothers("", kept));
});

test("what is for everybody is shown to everybody, and says of nobody that he left", () => {
  const kept = storage();
  note("ada", kept);
  note(null, kept);
  assert.ok(!isAnothers(null, kept));
  assert.ok(!isAnothers("ada", kept));
});
