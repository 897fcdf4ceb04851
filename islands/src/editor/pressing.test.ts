import assert from "node:assert/strict";
import { test } from "node:test";
import { pressing } from "./pressing.js";

test("what can't be pressed says so, does nothing, and is not disabled: it would lose the focus", () => {
  const run = () => undefined;
  assert.deepEqual(pressing(true, run), { "aria-disabled": undefined, onClick: run });
  assert.deepEqual(pressing(false, run), { "aria-disabled": true, onClick: undefined });
});
