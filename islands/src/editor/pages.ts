// What can be done with a book's pages: they come, go and move by two that face each other, and are laid out in another way.
// Each is one step.
import type { EditorFilling, EditorWay } from "../generated/works.js";
import { newId } from "./actions.js";
import type { PageModel } from "./Book.js";
import { type Element, type Page, SAFE, type TextElement, pageName, pageOf } from "./document.js";
import { type Change, normal } from "./edit.js";
import { roundRect } from "./geometry.js";
import type { Editor } from "./Model.js";
import { toast } from "../runtime/toasts.js";
import { uuid } from "../runtime/uuid.js";

const newPageId = () => `p-${uuid()}`;

/** The inner page of a number, from 1. */
const inner = (editor: Editor, number: number): Page | undefined => editor.book.document.pages[number - 1];

/** What the pair of a left page is called. */
export const nameOfPair = (left: number) => (left === 1 ? pageName(1) : `第 ${left}–${left + 1} 页`);

/** Two pages of paper behind the first page, or behind the pair of a left one, with room for words as the layout has it. */
export function addPages(editor: Editor, left: number): void {
  const { width, height } = editor.book.document.trim;
  const margin = Math.max(width * 0.15, SAFE + 3);
  const frame = roundRect({ x: margin, y: height * 0.3, width: width - 2 * margin, height: height * 0.3 });
  const words = (): TextElement => ({ kind: "text", id: newId(), frame, role: "body", text: "" });
  const paper = (): Page => ({ id: newPageId(), elements: [words()] });
  insert(editor, left, [paper(), paper()], "加书页", "已加上 2 页");
}

export function copyPages(editor: Editor, left: number): void {
  const copied = (page: Page): Page => ({ ...page, id: newPageId(), elements: page.elements.map((element) => ({ ...element, id: newId() })) });
  const [one, other] = [inner(editor, left), inner(editor, left + 1)];
  if (one && other) insert(editor, left, [copied(one), copied(other)], "复制书页", `已复制${nameOfPair(left)}`);
}

function insert(editor: Editor, left: number, pages: Page[], word: string, said: string): void {
  const behind = inner(editor, left === 1 ? 1 : left + 1);
  if (!behind || !editor.commit(word, [{ op: "insert", page: behind.id, pages }])) return;
  editor.view.goTo(left === 1 ? 2 : left + 2);
  editor.say(said);
}

export function removePages(editor: Editor, left: number): void {
  const page = inner(editor, left);
  if (!page || !editor.commit("删去书页", [{ op: "discard", page: page.id }])) return;
  editor.offerUndo(`已删去${nameOfPair(left)}，照片仍在素材里`);
}

/** The changes that bring one of the pairs, named by their left pages, to another place among them. */
export function moving(lefts: readonly string[], from: number, to: number): Change[] {
  const swap = (page: string): Change => ({ op: "swap", page });
  const own = lefts[from];
  if (own === undefined || lefts[to] === undefined) return [];
  // later it changes places with each pair behind it; earlier each one before it does so with it, the nearest first
  return to > from ? Array.from({ length: to - from }, () => swap(own)) : lefts.slice(to, from).reverse().map(swap);
}

/** The left pages of all pairs that may be moved. */
export const pairsOf = ({ book }: Editor): string[] =>
  book.document.pages.flatMap(({ id }, place, { length }) => (place % 2 === 1 && place + 1 < length ? id : []));

/** Brings the pair of a left page to where another one stands, as one step. What was moved stays in sight, so that the next press
 * moves it on. */
export function movePages(editor: Editor, left: number, to: number): boolean {
  const place = (number: number) => number / 2 - 1;
  if (!editor.commit("移动书页", moving(pairsOf(editor), place(left), place(to)))) return false;
  editor.view.goTo(to);
  editor.say(`已移到${nameOfPair(to)}`);
  return true;
}

/** Makes pages what the server made of them, as one step. */
function take(editor: Editor, word: string, pages: Page[]): boolean {
  const changes = pages.flatMap((after) => {
    const before = pageOf(editor.book.document, after.id);
    return before ? differences(before, after) : [];
  });
  return editor.commit(word, changes);
}

/** Lays pages out as the server would. */
export function takeWay(editor: Editor, pages: PageModel[], way: EditorWay): void {
  const after = pages.flatMap(({ id }, place) => ({ ...(way.pages[place] as Page), id }));
  if (take(editor, "版式", after)) editor.say(`版式已换成${way.title}`);
}

/** Fills pages up with photos that the book does not show yet, or says why there are none. */
export function takeFilling(editor: Editor, { pages, photos, reason }: EditorFilling): void {
  editor.library.learn(photos);
  if (reason) toast(reason);
  else if (take(editor, "补照片", pages as Page[])) editor.offerUndo(`补上了 ${photos.length} 张没用过的照片`);
}

/** The changes that make one page of another. What has no name yet is new. */
export function differences(before: Page, after: Page): Change[] {
  const page = before.id;
  const own = new Map(before.elements.map((element) => [element.id, JSON.stringify(normal(element))]));
  const elements: Element[] = after.elements.map((element) => (own.has(element.id) ? element : { ...element, id: newId() }));
  const stays = new Set(elements.filter((element) => own.get(element.id) === JSON.stringify(normal(element))).map(({ id }) => id));
  const changes: Change[] = before.elements.filter(({ id }) => !stays.has(id)).map(({ id }) => ({ op: "remove", page, element: id }));
  const order = before.elements.filter(({ id }) => stays.has(id)).map(({ id }) => id);
  for (const [to, element] of elements.entries()) {
    if (!stays.has(element.id)) {
      changes.push({ op: "add", page, element, to });
      order.splice(to, 0, element.id);
    } else if (order[to] !== element.id) {
      changes.push({ op: "order", page, element: element.id, to });
      order.splice(order.indexOf(element.id), 1);
      order.splice(to, 0, element.id);
    }
  }
  for (const name of ["theme", "ground", "background"] as const) {
    if (before[name] !== after[name]) changes.push({ op: "set", page, name, value: after[name] ?? null });
  }
  return changes;
}
