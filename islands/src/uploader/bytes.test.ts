import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes } from "./bytes.js";

test("sizes read well", () => {
  assert.equal(bytes(1), "1 KB");
  assert.equal(bytes(320_000), "313 KB");
  assert.equal(bytes(18_440_000), "17.6 MB");
  assert.equal(bytes(5 * 1024 ** 3), "5.0 GB");
});
