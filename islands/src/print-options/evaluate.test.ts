import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type Exclusion, evaluate, settlingOrder } from "./evaluate.js";

const step = (...codes: string[]) => ({
  items: codes.map((code) => ({ Cnum: code.replace("!", ""), fits: !code.startsWith("!") })),
});
// the cover decides over the binding, the binding over the film, whatever their order in the dialog
const steps = [step("wire", "sewn", "hard"), step("card", "cloth"), step("none", "bright", "matt"), step()];
const exclusions: Exclusion[] = [
  ["cloth", "wire"],
  ["cloth", "sewn"],
  ["hard", "none"],
];
const choice = (wanted: string[]) => evaluate(steps, exclusions, wanted).map((evaluated) => evaluated.selCnum);

test("what is wanted and enabled stays", () => {
  assert.deepEqual(choice(["sewn", "card", "matt", ""]), ["sewn", "card", "matt", ""]);
});

test("otherwise the first enabled item is chosen, through every step that follows", () => {
  assert.deepEqual(choice(["sewn", "cloth", "none", ""]), ["hard", "cloth", "bright", ""]);
  assert.deepEqual(choice([]), ["wire", "card", "none", ""]);
  assert.deepEqual(choice(["unknown", "sewn"]), ["wire", "card", "none", ""]);
});

test("flags say what the present choice leaves", () => {
  const [binding, , film] = evaluate(steps, exclusions, ["hard", "cloth"]);
  assert.deepEqual(binding?.enable, [false, false, true]);
  assert.deepEqual(film?.enable, [false, true, true]);
});

test("an item that does not fit is never chosen; a step of such items has no choice", () => {
  const [first, second] = evaluate([step("!a", "b"), step("!c", "!d")], [], ["a", "c"]);
  assert.deepEqual(first, { enable: [false, true], selCnum: "b" });
  assert.deepEqual(second, { enable: [false, false], selCnum: "" });
});

test("what is not chosen excludes nothing", () => {
  const excluding: Exclusion[] = [["a", "b"]];
  assert.equal(evaluate([step("!a"), step("b")], excluding, ["a", "b"])[1]?.selCnum, "b");
});

test("steps are settled after those that can exclude their items, ties as in the dialog", () => {
  assert.deepEqual(settlingOrder(steps, exclusions), [1, 0, 2, 3]);
  assert.deepEqual(settlingOrder(steps, []), [0, 1, 2, 3]);
  const ring: Exclusion[] = [
    ["card", "wire"],
    ["wire", "card"],
    ["unknown", "none"],
  ];
  assert.deepEqual(settlingOrder(steps, ring), [2, 3, 0, 1]);
});

interface Vectors {
  cases: {
    steps: { ID: string; items: { Cnum: string; fits: boolean }[] }[];
    exclusions: Exclusion[];
    start: { selCnum: string[]; enable: boolean[][] };
    changes: { step: number; cnum: string; selCnum: string[]; enable: boolean[][] }[];
  }[];
}

const file = process.env.VECTORS;
test("equals the server's rules", { skip: file ? false : "VECTORS names no file of cases" }, () => {
  const { cases } = JSON.parse(readFileSync(file ?? "", "utf8")) as Vectors;
  assert.ok(cases.length > 0, "the file holds no case");
  for (const { steps, exclusions, start, changes } of cases) {
    const settle = (wanted: string[]) => {
      const evaluated = evaluate(steps, exclusions, wanted);
      return { selCnum: evaluated.map((step) => step.selCnum), enable: evaluated.map((step) => step.enable) };
    };
    let now = settle(start.selCnum);
    assert.deepEqual(now, start, JSON.stringify({ steps, exclusions }));
    for (const { step, cnum, selCnum, enable } of changes) {
      const wanted = now.selCnum.with(step, cnum);
      now = settle(wanted);
      assert.deepEqual(now, { selCnum, enable }, JSON.stringify({ steps, exclusions, wanted }));
    }
  }
});
