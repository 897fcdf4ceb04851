import assert from "node:assert/strict";
import { test } from "node:test";
import { isFrugal } from "./frugal.js";

test("only a fast line brings what nobody has asked for", () => {
  assert.equal(isFrugal({ effectiveType: "4g", rtt: 50 }), false);
  assert.equal(isFrugal({ effectiveType: "4g", rtt: 300, saveData: false }), false);
  for (const effectiveType of ["slow-2g", "2g", "3g"]) assert.equal(isFrugal({ effectiveType, rtt: 50 }), true);
  assert.equal(isFrugal({ effectiveType: "4g", rtt: 350 }), true);
  assert.equal(isFrugal({ effectiveType: "4g", rtt: 50, saveData: true }), true);
});

test("a browser that says nothing of its line has a fast one", () => {
  assert.equal(isFrugal({}), false);
});
