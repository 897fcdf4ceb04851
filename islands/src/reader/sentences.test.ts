import assert from "node:assert/strict";
import { test } from "node:test";
import { sentences } from "./sentences.js";

const said = (text: string) => sentences(text).map(({ from, to }) => text.slice(from, to));

test("a text is spoken sentence by sentence", () => {
  assert.deepEqual(said("他问：“去吗？”我说去。好"), ["他问：“去吗？”", "我说去。", "好"]);
  assert.deepEqual(said("Version 1.5 is out. Take it."), ["Version 1.5 is out.", " Take it."]);
  assert.deepEqual(said("  \n"), []);
});

test("nothing is longer than browsers speak, and nothing is lost", () => {
  const text = `${"山".repeat(70)}，${"水".repeat(70)}，${"海".repeat(300)}。完。`;
  const parts = said(text);
  assert.equal(parts.join(""), text);
  assert.ok(parts.every((part) => part.length <= 120), parts.map((part) => part.length).join());
  assert.equal(parts[0], `${"山".repeat(70)}，`, "it is cut behind a comma where there is one");
});
