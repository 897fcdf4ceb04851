import assert from "node:assert/strict";
import { test } from "node:test";
import { endsOf } from "./Lines.js";

test("the ends of lines are found in the text, and those that its writer made are none", () => {
  assert.deepEqual(endsOf("清晨的雾还没有散", ["清晨的雾", "还没有散"]), [4]);
  assert.deepEqual(endsOf("清晨\n的雾还没", ["清晨", "的雾", "还没"]), [5]);
  assert.deepEqual(endsOf("清晨\n\n的雾", ["清晨", "的雾"]), []);
  assert.deepEqual(endsOf("the sea at night", ["the sea ", "at night"]), [8]);
  assert.deepEqual(endsOf("😀😀😀", ["😀😀", "😀"]), [4]);
  assert.deepEqual(endsOf("", []), []);
});

test("lines of another text say nothing", () => {
  assert.equal(endsOf("清晨的雾", ["傍晚"]), undefined);
  assert.equal(endsOf("清晨的雾还没有散", ["清晨的雾"]), undefined);
  assert.equal(endsOf("清晨的雾", ["清晨", "雾"]), undefined);
});
