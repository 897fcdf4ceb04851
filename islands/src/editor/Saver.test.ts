import assert from "node:assert/strict";
import { test } from "node:test";
import { HttpError } from "../runtime/http/error.js";
import type { Done } from "./calls.js";
import type { Operation } from "./edit.js";
import type { Batch, Journal } from "./journal.js";
import { Saver } from "./Saver.js";

const operation = (id: string): Operation => ({ id, op: "set", page: "p", element: "e", name: "locked", value: true });
const NOTHING = { done: [], undone: [] };

/** A journal in memory, and a server that answers when it is told to. */
function desk() {
  const kept = new Map<number, Batch>();
  const asked: { base: number; ids: string[]; answer: (done: Done) => void; fail: (error: HttpError) => void }[] = [];
  const events: string[] = [];
  let next = 1;
  const journal: Journal = {
    add: (batch) => {
      events.push(`keep ${batch.operations.map(({ id }) => id).join(" ")}`);
      kept.set(next, batch);
      return Promise.resolve(next++);
    },
    remove: (keys, rest) => {
      for (const key of keys) kept.delete(key);
      for (const { key, base, before } of rest) {
        const batch = kept.get(key);
        if (batch) kept.set(key, { ...batch, base, before });
      }
      return Promise.resolve();
    },
    pending: () => Promise.resolve([]),
    history: () => Promise.resolve(undefined),
    keepHistory: () => Promise.resolve(),
  };
  const edit = (_: string, base: number, operations: Operation[]) =>
    new Promise<Done>((answer, fail) => {
      events.push(`send ${operations.map(({ id }) => id).join(" ")}`);
      asked.push({ base, ids: operations.map(({ id }) => id), answer, fail });
    });
  const lost: string[] = [];
  const saver = new Saver("w", 5, { edit }, journal, { saved: () => undefined, refused: (reason) => lost.push(reason) });
  return { saver, kept, asked, events, lost };
}

const settled = () => new Promise((done) => setTimeout(done));

test("what is done is kept before it is sent, and forgotten when the server has it", async () => {
  const { saver, kept, asked, events } = desk();
  saver.add([operation("a")], NOTHING);
  await settled();
  assert.deepEqual(events, ["keep a", "send a"]);
  saver.add([operation("b")], NOTHING);
  saver.add([operation("c")], NOTHING);
  await settled();
  assert.equal(asked.length, 1, "one after the other");
  asked[0]?.answer({ revision: 6, merged: false });
  await settled();
  assert.deepEqual([asked[1]?.base, asked[1]?.ids], [6, ["b", "c"]]);
  assert.deepEqual([...kept.values()].map(({ base }) => base), [6, 6], "as they would be sent after a reload");
  asked[1]?.answer({ revision: 7, merged: false });
  await settled();
  assert.equal(kept.size, 0);
  assert.equal(saver.sent.value, "saved");
});

test("over a revision with another's changes, what was done before goes along under its name", async () => {
  const { saver, asked } = desk();
  saver.add([operation("a")], NOTHING);
  await settled();
  saver.add([operation("b")], NOTHING);
  asked[0]?.answer({ revision: 9, merged: true });
  await settled();
  assert.deepEqual([asked[1]?.base, asked[1]?.ids], [5, ["a", "b"]], "b was done without what the other did");
  // done before the editor shows the other's changes, then after
  saver.add([operation("c")], NOTHING);
  saver.showing(9);
  saver.add([operation("d")], NOTHING);
  asked[1]?.answer({ revision: 10, merged: true });
  await settled();
  assert.deepEqual([asked[2]?.base, asked[2]?.ids], [5, ["a", "b", "c"]]);
  asked[2]?.answer({ revision: 11, merged: true });
  await settled();
  assert.deepEqual([asked[3]?.base, asked[3]?.ids], [9, ["b", "c", "d"]]);
});

test("a lost line keeps everything and is tried again; signing in again goes on", async () => {
  const { saver, kept, asked } = desk();
  saver.add([operation("a")], NOTHING);
  await settled();
  asked[0]?.fail(new HttpError(500, "请求失败", { status: 0 }));
  await settled();
  assert.deepEqual([saver.sent.value, kept.size], ["offline", 1]);
  saver.again();
  await settled();
  asked[1]?.fail(new HttpError(401, "请先登录", { status: 401 }));
  await settled();
  assert.equal(saver.sent.value, "signed-out");
  saver.again();
  await settled();
  asked[2]?.answer({ revision: 6, merged: false });
  await settled();
  assert.deepEqual([saver.sent.value, kept.size], ["saved", 0]);
});

test("in a conflict the server is given everything that was done before anybody chooses", async () => {
  const { saver, asked, kept } = desk();
  const conflict = () => new HttpError(409, "同一处", { status: 409, body: JSON.stringify({ code: 409, msg: "同一处", data: { revision: 8, kept: -1 } }) });
  saver.add([operation("a")], NOTHING);
  await settled();
  saver.add([operation("b")], NOTHING);
  asked[0]?.fail(conflict());
  await settled();
  assert.deepEqual(asked[1]?.ids, ["a", "b"]);
  asked[1].fail(conflict());
  await settled();
  assert.deepEqual([saver.sent.value, saver.conflict.value, kept.size], ["conflict", { revision: 8, kept: -1 }, 0]);
  saver.restart(8);
  assert.equal(saver.sent.value, "saved");
});

test("what is refused is told and stands in nobody's way", async () => {
  const { saver, asked, lost, kept } = desk();
  saver.add([operation("a")], NOTHING);
  await settled();
  asked[0]?.fail(new HttpError(400, "没有这一页", { status: 400 }));
  await settled();
  assert.deepEqual([lost, kept.size, saver.sent.value], [["没有这一页"], 0, "refused"]);
});
