import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Calls } from "./calls.js";
import type { Document } from "./document.js";
import { Editor } from "./Model.js";

const editors: Editor[] = [];
after(() => {
  for (const editor of editors) editor.stop();
});

const book = (theme: string): Document => {
  const words = { kind: "text" as const, id: "words", role: "caption" as const, text: "海边", frame: { x: 20, y: 20, width: 80, height: 12 } };
  return { version: 2, trim: { width: 200, height: 200 }, theme, title: "山海之间", cover: { id: "cover", elements: [] }, pages: [{ id: "p1", elements: [words] }] };
};

/** A server that knows which theme the newest revision has. */
function opened() {
  const revisions = ["calm"];
  let finish: () => void = () => undefined;
  const calls = {
    edit: () => Promise.resolve({ revision: revisions.push(revisions.at(-1) ?? ""), merged: false }),
    findings: () => Promise.resolve([]),
    document: () => Promise.resolve({ revision: revisions.length, document: book(revisions.at(-1) ?? "") }),
    restyle: (_: string, base: number, to: string) => {
      assert.equal(base, revisions.length);
      return new Promise<number>((done) => (finish = () => done(revisions.push(to))));
    },
    restore: (_: string, base: number, revision: number) => {
      assert.equal(base, revisions.length);
      revisions.push(revisions[revision - 1] ?? "");
      return Promise.resolve();
    },
  } as unknown as Calls;
  const uploads = { address: "", picture: "", chunk: 1000, isGuests: false, label: "", hint: "", mostBytes: 0, left: 0, noRoom: "", heic: "", inForm: false };
  const props = { work: "w", feditorType: 12, page: 1, isFree: true, isSingle: false, layerMargin: 6, pageMargin: 15, ornaments: "", cover: null, uploads };
  const editor = new Editor(props, { revision: 1, document: book("calm") }, { shown: [], looks: [] }, undefined, calls);
  editors.push(editor);
  editor.tabs.isWriter.value = true;
  return { editor, finish: () => finish() };
}

const soon = () => new Promise((done) => setTimeout(done));

test("another style of the whole book is one step, taken back and done again as a whole", async () => {
  const { editor, finish } = opened();
  const theme = () => editor.book.document.theme;
  const [page] = editor.book.pages.peek().slice(1);
  const isMade = editor.restyle("风格", "night");
  await soon();
  assert.equal(editor.canEdit.peek(), false, "nothing is done to the old book meanwhile");
  finish();
  await isMade;
  assert.deepEqual([theme(), editor.canEdit.peek(), editor.history.last?.name], ["night", true, "风格"]);
  // the same page with the same words looks another way
  assert.deepEqual([page?.drawn.peek(), editor.book.element("words")?.drawn.peek()], [2, 2]);

  // what is done after it goes first
  assert.ok(editor.commit("移动", [{ op: "set", page: "p1", element: "words", name: "rotation", value: 5 }]));
  await soon();
  editor.undo();
  await soon();
  editor.undo();
  await soon();
  assert.deepEqual([theme(), editor.history.last, editor.history.next?.name], ["calm", undefined, "风格"]);
  editor.redo();
  await soon();
  assert.deepEqual([theme(), editor.history.last?.name], ["night", "风格"]);
});

test("what is on its way is saved before the whole book changes", async () => {
  const { editor, finish } = opened();
  editor.commit("移动", [{ op: "set", page: "p1", element: "words", name: "rotation", value: 5 }]);
  const isMade = editor.restyle("风格", "night");
  await soon();
  finish();
  assert.equal(await isMade, true);
  assert.deepEqual([editor.book.document.theme, editor.book.revision], ["night", 3]);
});
