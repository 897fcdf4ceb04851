import assert from "node:assert/strict";
import { test } from "node:test";
import { choice, isKept } from "./sign_in.js";

const plain = { asked: null, refused: false, returned: false };

test("the first visit begins with the page itself", () => {
  assert.deepEqual(choice("", plain), { way: "", leave: false });
});

test("a way that was chosen is shown again, and an address is what it says", () => {
  assert.deepEqual(choice("registration", plain), { way: "registration", leave: true });
  assert.deepEqual(choice("registration", { ...plain, asked: "recovery" }), { way: "registration", leave: false });
  assert.deepEqual(choice("", { ...plain, asked: "recovery" }), { way: "", leave: false });
});

test("nobody is led away from a complaint, or from where the back button led", () => {
  assert.deepEqual(choice("recovery", { ...plain, refused: true }), { way: "recovery", leave: false });
  assert.deepEqual(choice("recovery", { ...plain, returned: true }), { way: "", leave: false });
});

test("only ways that can be begun again are remembered", () => {
  assert.deepEqual(choice("binding", plain), { way: "", leave: false });
  assert.deepEqual(choice("weixin", plain), { way: "", leave: false });
});

test("what another program left there is no state", () => {
  for (const value of [undefined, null, "x", 1, {}, { way: "x" }, { way: 1, account: "" }]) assert.equal(isKept(value), false);
  assert.equal(isKept({ way: "", account: "a@example.com" }), true);
});
