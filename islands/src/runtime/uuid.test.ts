import assert from "node:assert/strict";
import { test } from "node:test";
import { uuid } from "./uuid.js";

test("each is another, and of version 4", () => {
  const made = Array.from({ length: 200 }, uuid);
  assert.equal(new Set(made).size, 200);
  for (const one of made) assert.match(one, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
