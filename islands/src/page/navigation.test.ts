import assert from "node:assert/strict";
import { test } from "node:test";
import { Progress, leaves, sends } from "./navigation.js";

const here = "https://books.example/manager/opus/1?tab=a";
const plain = { button: 0, defaultPrevented: false, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
const to = (href: string, more = {}) => ({ href, target: "", download: false, ...more });

test("a plain click on a link leaves the page", () => {
  assert.equal(leaves(plain, to("https://books.example/manager/order"), here), true);
  assert.equal(leaves(plain, to("https://books.example/manager/order#a"), here), true);
  assert.equal(leaves(plain, to(here), here), true);
});

test("clicks that stay, or open elsewhere, do not", () => {
  const away = to("https://books.example/manager/order");
  assert.equal(leaves({ ...plain, button: 1 }, away, here), false);
  for (const held of ["ctrlKey", "metaKey", "shiftKey", "altKey"]) assert.equal(leaves({ ...plain, [held]: true }, away, here), false);
  assert.equal(leaves({ ...plain, defaultPrevented: true }, away, here), false);
  assert.equal(leaves(plain, { ...away, target: "_blank" }, here), false);
  assert.equal(leaves(plain, { ...away, download: true }, here), false);
  assert.equal(leaves(plain, to("mailto:hello@books.example"), here), false);
  assert.equal(leaves(plain, to(`${here}#page-6`), here), false);
  assert.equal(leaves(plain, to(`${here}#page-6`), `${here}#page-2`), false);
});

test("a form leaves unless it was handled, is a dialog's or opens elsewhere", () => {
  assert.equal(sends(false, "post", ""), true);
  assert.equal(sends(true, "post", ""), false);
  assert.equal(sends(false, "dialog", ""), false);
  assert.equal(sends(false, "get", "_blank"), false);
});

test("the bar starts once and finishes once, and again after the page comes back", () => {
  const calls: string[] = [];
  const progress = new Progress({ start: () => calls.push("start"), done: () => calls.push("done") });
  progress.finish();
  progress.start();
  progress.start();
  progress.finish();
  progress.finish();
  progress.start();
  assert.deepEqual(calls, ["start", "done", "start"]);
});
