import assert from "node:assert/strict";
import { after, test } from "node:test";
import { addShape } from "./actions.js";
import type { Calls } from "./calls.js";
import type { Document, Page } from "./document.js";
import { apply } from "./edit.js";
import { Machine, type Target } from "./Machine.js";
import { Editor } from "./Model.js";
import { copyPages, differences, movePages } from "./pages.js";

const KEYS = { shift: false, alt: false, free: true };
const photo = (id: string, x: number) => ({ kind: "photo" as const, id, photo: `of-${id}`, frame: { x, y: 50, width: 40, height: 30 }, crop: { x: 0, y: 0, width: 1, height: 1 } });
const book = (): Document => ({
  version: 2,
  trim: { width: 200, height: 200 },
  theme: "calm",
  title: "山水之间",
  cover: { id: "cover", elements: [] },
  pages: [
    { id: "p1", elements: [] },
    { id: "p2", elements: [photo("a", 20), photo("b", 120)] },
    { id: "p3", elements: [] },
  ],
});

const editors: Editor[] = [];
after(() => {
  for (const editor of editors) editor.stop();
});

/** An editor with pages 2 and 3 open at two pixels for a millimetre, whose corner lies at the stage's. */
function opened() {
  const calls = { edit: () => new Promise(() => undefined), findings: () => Promise.resolve([]) } as unknown as Calls;
  const uploads = { address: "/manager/uploads", picture: "", chunk: 1000, isGuests: false, label: "", hint: "", mostBytes: 0, left: 0, noRoom: "", heic: "", inForm: false };
  const props = { work: "w", feditorType: 12, page: 2, isFree: true, isSingle: false, layerMargin: 6, pageMargin: 15, ornaments: "ornaments.webp", cover: null, uploads };
  const photos = ["of-a", "of-b"].map((id) => ({ id, name: `${id}.jpg`, width: 400, height: 300, isUsable: true, takenAt: null, hasFaces: false, flaw: "" }));
  const editor = new Editor(props, { revision: 1, document: book() }, { newest: { photos, isFurther: false }, shown: [], looks: [] }, undefined, calls);
  editors.push(editor);
  editor.tabs.isWriter.value = true;
  // 28 pixels of air on each side
  editor.view.stage.value = { width: 856, height: 456 };
  const origin = editor.view.origin.peek();
  const machine = new Machine(editor);
  const at = (x: number, y: number) => ({ x: origin.x + x * 2, y: origin.y + y * 2 });
  const drag = (target: Target, from: [number, number], to: [number, number], keys = KEYS) => {
    machine.down(1, "mouse", 0, at(...from), target, keys);
    machine.move(1, at((from[0] + to[0]) / 2, (from[1] + to[1]) / 2), keys);
    machine.move(1, at(...to), keys);
    machine.up(1, at(...to));
  };
  const frame = (id: string) => editor.book.element(id)?.value.peek().frame;
  return { editor, machine, at, drag, frame };
}

const A: Target = { kind: "element", id: "a" };

test("a spread is two pages at two pixels for a millimetre", () => {
  const { editor } = opened();
  assert.deepEqual([editor.view.scale.peek(), editor.view.open.peek().length], [2, 2]);
});

test("a drag moves what it took, is one step, and Esc puts it back", () => {
  const { editor, machine, at, drag, frame } = opened();
  drag(A, [30, 60], [41.5, 55]);
  assert.deepEqual(frame("a"), { x: 31.5, y: 45, width: 40, height: 30 });
  assert.deepEqual(editor.selection.peek(), ["a"]);
  machine.down(1, "mouse", 0, at(50, 60), A, KEYS);
  machine.move(1, at(90, 90), KEYS);
  assert.equal(editor.book.element("a")?.placed.peek().frame.x, 71.5);
  assert.equal(machine.cancel(), true);
  assert.equal(editor.book.element("a")?.placed.peek().frame.x, 31.5);
  machine.up(1, at(90, 90));
  editor.undo();
  assert.deepEqual(frame("a"), photo("a", 20).frame);
  assert.equal(editor.history.last, undefined);
  editor.redo();
  assert.equal(frame("a")?.x, 31.5);
});

test("less than four pixels are a press, and two presses go into the photo", () => {
  const { editor, machine, at, drag, frame } = opened();
  drag(A, [30, 60], [31, 60.5]);
  assert.deepEqual(frame("a"), photo("a", 20).frame);
  assert.equal(editor.mode.peek().kind, "arrange");
  machine.down(1, "mouse", 0, at(30, 60), A, KEYS);
  machine.up(1, at(30, 60));
  assert.deepEqual(editor.mode.peek(), { kind: "crop", id: "a" });
  // in there, the hand pushes the photo
  editor.setMode({ kind: "arrange" });
});

test("Alt leaves the thing and makes another; over the next page it belongs there", () => {
  const { editor, drag, frame } = opened();
  drag(A, [30, 60], [30, 100], { ...KEYS, alt: true });
  const page = editor.book.page("p2");
  assert.equal(page?.elements.peek().length, 3);
  assert.deepEqual(editor.left.peek(), [], "what stood there is itself again");
  assert.deepEqual(frame("a"), photo("a", 20).frame);
  drag({ kind: "element", id: "b" }, [130, 60], [270, 60]);
  assert.deepEqual(editor.book.pageOf("b")?.id, "p3");
  assert.equal(frame("b")?.x, 60);
  editor.undo();
  assert.deepEqual([editor.book.pageOf("b")?.id, frame("b")?.x], ["p2", 120]);
});

test("from entering a crop to leaving it everything is one step, and Esc takes a push of the hand back", () => {
  const { editor, machine, at, drag } = opened();
  const crop = () => {
    const value = editor.book.element("a")?.value.peek();
    return value?.kind === "photo" ? value.crop : undefined;
  };
  const begun = crop();
  editor.select(["a"]);
  machine.open();
  machine.wheel(2, at(40, 65));
  assert.deepEqual(crop(), { x: 0.25, y: 0.25, width: 0.5, height: 0.5 });
  drag(A, [30, 60], [36, 60]);
  assert.deepEqual(crop(), { x: 0.175, y: 0.25, width: 0.5, height: 0.5 });
  machine.down(1, "mouse", 0, at(30, 60), A, KEYS);
  machine.move(1, at(50, 60), KEYS);
  assert.notDeepEqual(editor.book.element("a")?.crop.peek(), crop());
  machine.cancel();
  assert.deepEqual(editor.book.element("a")?.crop.peek(), crop());
  machine.up(1, at(50, 60));
  // two fingers are one change, made when they are gone
  machine.down(2, "touch", 0, at(35, 65), A, KEYS);
  machine.down(3, "touch", 0, at(45, 65), A, KEYS);
  machine.move(3, at(55, 65), KEYS);
  assert.equal(crop()?.width, 0.5);
  machine.up(3, at(55, 65));
  machine.up(2, at(35, 65));
  assert.equal(crop()?.width, 0.25);
  editor.setMode({ kind: "arrange" });
  editor.undo();
  assert.deepEqual([crop(), editor.history.last], [begun, undefined]);
});

test("a grip leaves a finger's tap to what it covers, and a drag is its own", () => {
  const { editor, machine, at } = opened();
  const grip: Target = { kind: "swap", over: "b" };
  const tap = (type: string, target: Target) => {
    editor.select(["a"]);
    machine.down(1, type, 0, at(40, 85), target, KEYS);
    machine.up(1, at(40, 85));
    return editor.selection.peek();
  };
  assert.deepEqual(tap("touch", grip), ["b"]);
  assert.deepEqual(tap("touch", { kind: "handle", pull: { across: 0, down: 1 }, over: "b" }), ["b"]);
  assert.deepEqual(tap("touch", { kind: "swap" }), ["a"], "there is nothing under it");
  assert.deepEqual(tap("mouse", grip), ["a"]);
  machine.down(1, "touch", 0, at(40, 85), grip, KEYS);
  machine.move(1, at(60, 90), KEYS);
  assert.deepEqual(editor.carried.peek(), { photo: "of-a", from: "a" });
  machine.cancel();
});

test("when writing ends, the text is to have the focus that its field had", () => {
  const { editor } = opened();
  editor.endWriting();
  assert.equal(editor.wanted.peek(), undefined);
  editor.setMode({ kind: "write", id: "a" });
  editor.endWriting();
  assert.deepEqual([editor.mode.peek().kind, editor.wanted.peek()], ["arrange", "a"]);
});

test("whoever turns the page has nothing selected that isn't seen, and a grip given up carries nothing", () => {
  const { editor, machine, at } = opened();
  editor.select(["a"]);
  machine.down(1, "mouse", 0, at(30, 60), { kind: "swap" }, KEYS);
  machine.move(1, at(60, 90), KEYS);
  assert.deepEqual(editor.carried.peek(), { photo: "of-a", from: "a" });
  machine.cancel();
  assert.equal(editor.carried.peek(), undefined);
  editor.view.goTo(3);
  assert.deepEqual(editor.selection.peek(), ["a"], "it is open still");
  editor.view.goTo(0);
  assert.deepEqual(editor.selection.peek(), []);
});

test("two fingers on the stage enlarge what is between them, and come back to where they began", () => {
  const { editor, machine, at } = opened();
  machine.down(1, "touch", 0, at(100, 100), { kind: "paper" }, KEYS);
  machine.down(2, "touch", 0, at(120, 100), { kind: "paper" }, KEYS);
  const between = at(110, 100);
  machine.move(2, at(140, 100), KEYS);
  machine.move(1, at(80, 100), KEYS);
  assert.deepEqual([editor.view.zoom.peek(), editor.view.spot(between)?.x], [3, 110]);
  // further than it can be enlarged, and back
  machine.move(2, { x: 5000, y: between.y }, KEYS);
  machine.move(2, at(120, 100), KEYS);
  machine.move(1, at(100, 100), KEYS);
  assert.deepEqual([editor.view.zoom.peek(), editor.view.pan.peek()], [1, { x: 0, y: 0 }]);
});

test("the rectangle marks what it touches, Shift adds, and what is locked stays", () => {
  const { editor, drag, frame } = opened();
  drag({ kind: "paper" }, [10, 40], [170, 90]);
  assert.deepEqual(editor.selection.peek(), ["a", "b"]);
  drag({ kind: "paper" }, [5, 5], [15, 15]);
  assert.deepEqual(editor.selection.peek(), []);
  editor.select(["a"]);
  editor.commit("锁定", [{ op: "set", page: "p2", element: "a", name: "locked", value: true }]);
  drag(A, [30, 60], [60, 60]);
  assert.equal(frame("a")?.x, 20);
});

test("a photo that is carried replaces, swaps, or gets a frame of its own", () => {
  const { editor, machine, at } = opened();
  const shown = (id: string) => {
    const value = editor.book.element(id)?.value.peek();
    return value?.kind === "photo" ? value.photo : undefined;
  };
  editor.carry({ photo: "of-b" });
  machine.drop(at(30, 60));
  assert.equal(shown("a"), "of-b");
  editor.undo();
  editor.carry({ photo: "of-a", from: "a" });
  machine.drop(at(130, 60));
  assert.deepEqual([shown("a"), shown("b")], ["of-b", "of-a"]);
  editor.carry({ photo: "of-a" });
  machine.drop(at(300, 100));
  assert.equal(editor.book.page("p3")?.elements.peek()[0]?.frame.x, 60);
});

test("several are resized by one handle as one step, and Esc puts all of them back", () => {
  const { editor, machine, at, drag, frame } = opened();
  editor.select(["a", "b"]);
  const corner: Target = { kind: "handle", pull: { across: 1, down: 1 } };
  drag(corner, [160, 80], [230, 80]);
  assert.deepEqual([frame("a"), frame("b")], [{ x: 20, y: 50, width: 60, height: 45 }, { x: 170, y: 50, width: 60, height: 45 }]);
  editor.undo();
  assert.deepEqual([frame("a"), frame("b")], [photo("a", 20).frame, photo("b", 120).frame]);
  machine.down(1, "mouse", 0, at(160, 80), corner, KEYS);
  machine.move(1, at(200, 90), KEYS);
  assert.equal(machine.cancel(), true);
  assert.equal(editor.book.element("b")?.placed.peek().frame.x, 120);
});

test("pages that come and go are steps like any other, and come back with what stands on them", () => {
  const { editor, frame } = opened();
  const order = () => editor.book.pages.peek().map(({ id, number }) => `${number.peek()} ${id}`);
  const before = order();
  editor.select(["a"]);
  editor.commit("删去书页", [{ op: "discard", page: "p2" }]);
  assert.deepEqual([order(), editor.selection.peek(), editor.view.number.peek()], [["0 cover", "1 p1"], [], 1]);
  editor.undo();
  assert.deepEqual([order(), frame("a")], [before, photo("a", 20).frame]);
  copyPages(editor, 2);
  assert.equal(editor.book.pages.peek().length, 6);
  assert.equal(editor.view.number.peek(), 4);
  const [copy] = editor.book.pages.peek()[4]?.elements.peek() ?? [];
  assert.deepEqual(copy?.frame, photo("a", 20).frame);
  movePages(editor, 4, 2);
  editor.undo();
  editor.undo();
  assert.deepEqual(order(), before);
});

test("one page is made of another by its differences", () => {
  const before: Page = { id: "p", theme: "calm", elements: [photo("a", 20), photo("b", 120), photo("c", 70)] };
  const document = (page: Page): Document => ({ ...book(), pages: [{ ...page, elements: [...page.elements] }] });
  const unnamed = { ...photo("d", 1), id: "" };
  const after: Page = { id: "p", ground: "tint", elements: [photo("c", 70), unnamed, photo("a", 30)] };
  const changed = document(before);
  const back = differences(before, after).map((change) => apply(changed, change)).reverse();
  const [page] = changed.pages;
  assert.deepEqual({ ...page, elements: page?.elements.map(({ frame }) => frame.x) }, { id: "p", ground: "tint", elements: [70, 1, 30] });
  assert.deepEqual(page?.elements.map(({ id }) => id.slice(0, 2)), ["c", "e-", "a"]);
  for (const change of back) apply(changed, change);
  assert.equal(JSON.stringify(changed), JSON.stringify(document(before)));
});

test("adding, and taking back what changed on a page, leave the overview; pages that move do not", () => {
  globalThis.requestAnimationFrame = () => 0;
  const { editor } = opened();
  editor.isOverview.value = true;
  copyPages(editor, 2);
  editor.undo();
  assert.equal(editor.isOverview.peek(), true);
  addShape(editor, "rect");
  assert.equal(editor.isOverview.peek(), false);
  editor.isOverview.value = true;
  editor.undo();
  assert.equal(editor.isOverview.peek(), false);
});
