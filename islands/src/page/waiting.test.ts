import assert from "node:assert/strict";
import { test } from "node:test";
import { isNews, pause } from "./waiting.js";

test("only another state than waiting is news", () => {
  assert.deepEqual(["paid", "closed", "expired"].map(isNews), [true, true, true]);
  assert.deepEqual(["pending", "", undefined, null, 7, {}].map(isNews), [false, false, false, false, false, false]);
});

test("questions become rarer, and never stop", () => {
  const pauses = [3000];
  while (pauses.length < 12) pauses.push(pause(pauses.at(-1) ?? 0));
  assert.equal(pauses.at(-1), 30_000);
  assert.ok(pauses.every((delay, at) => at === 0 || delay >= (pauses[at - 1] ?? 0)));
});
