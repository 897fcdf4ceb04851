import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "./once.js";

test("ids are such as the server makes, and sort by time", () => {
  // of the ULID specification's own example, in lower case
  assert.equal(newId(1469922850259).slice(0, 10), "01arz3ndek");
  const ids = Array.from({ length: 1000 }, (_, at) => newId(at * 1000));
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual([...ids].sort(), ids);
  for (const id of ids) assert.match(id, /^[0-7][0-9a-hjkmnp-tv-z]{25}$/);
});
