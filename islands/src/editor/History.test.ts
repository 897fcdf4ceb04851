import assert from "node:assert/strict";
import { test } from "node:test";
import type { Change } from "./edit.js";
import { History } from "./History.js";

const text = (value: string): Change => ({ op: "set", page: "p", element: "e", name: "text", value });
const typed = (before: string, after: string, at: number, merge = "text e") => ({ name: "文字", forward: [text(after)], back: [text(before)], merge, at });

test("typing within half a second is one step, and goes back to where it began", () => {
  const history = new History();
  history.add(typed("", "海", 0));
  history.add(typed("海", "海边", 400));
  history.add(typed("海边", "海边的", 1400));
  assert.deepEqual(history.undo()?.back, [text("海边")]);
  const step = history.undo();
  assert.deepEqual([step?.back, step?.forward], [[text("")], [text("海边")]]);
  assert.equal(history.undo(), undefined);
});

test("something else in between, or something undone, ends a step", () => {
  const history = new History();
  history.add(typed("", "海", 0));
  history.add({ name: "移动", forward: [], back: [], at: 10 });
  history.add(typed("海", "海边", 20));
  history.undo();
  history.redo();
  history.add(typed("海边", "海边的", 30));
  assert.deepEqual(history.undo()?.back, [text("海边")]);
});

test("what goes on with the last step is part of it however late, until that is sealed", () => {
  const history = new History();
  history.add(typed("", "海", 0));
  history.add(typed("海", "海边", 5000), true);
  history.seal();
  history.add(typed("海边", "海边的", 5100), true);
  assert.deepEqual(history.undo()?.back, [text("海边")]);
  assert.deepEqual(history.undo()?.back, [text("")]);
});

test("a new step takes the place of what was undone; all of it survives a reload", () => {
  const history = new History();
  history.add(typed("", "海", 0));
  history.add(typed("海", "山", 900));
  history.undo();
  const after = new History();
  after.restore(JSON.parse(JSON.stringify(history.remembered)) as History["remembered"]);
  assert.equal(after.next?.name, "文字");
  after.add(typed("海", "河", 2000));
  assert.equal(after.redo(), undefined);
  assert.deepEqual(after.last?.forward, [text("河")]);
});
