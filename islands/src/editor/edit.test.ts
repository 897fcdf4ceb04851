import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readingOrder } from "./arrange.js";
import { type Document, type Page, pageOf } from "./document.js";
import { type Change, Refused, apply } from "./edit.js";

const book = (): Document => ({
  version: 2,
  trim: { width: 210, height: 210 },
  theme: "calm",
  title: "山水之间",
  cover: { id: "cover", elements: [] },
  pages: [
    {
      id: "p1",
      elements: [
        { kind: "photo", id: "a", photo: "x", frame: { x: 10, y: 10, width: 80, height: 60 }, crop: { x: 0, y: 0, width: 1, height: 1 } },
        { kind: "text", id: "b", frame: { x: 10, y: 80, width: 80, height: 20 }, role: "body", text: "风" },
      ],
    },
  ],
});
const set = (element: string, name: string, value: unknown): Change => ({ op: "set", page: "p1", element, name, value });

test("what is as usual is not said", () => {
  const document = book();
  const turned = apply(document, set("b", "rotation", 30));
  assert.deepEqual(turned, set("b", "rotation", null));
  apply(document, set("b", "rotation", 0));
  apply(document, set("b", "colour", "#20386A"));
  apply(document, set("b", "colour", null));
  assert.equal(JSON.stringify(document), JSON.stringify(book()));
});

test("what is refused changes nothing", () => {
  const document = book();
  const wrong: Change[] = [
    set("b", "crop", { x: 0, y: 0, width: 1, height: 1 }),
    set("a", "frame", { x: 0, y: 0, width: 0.5, height: 10 }),
    set("a", "frame", { x: 900, y: 0, width: 10, height: 10 }),
    set("a", "crop", { x: 0.5, y: 0, width: 0.6, height: 1 }),
    set("b", "text", "字".repeat(501)),
    set("b", "size", 9),
    set("c", "locked", true),
    { op: "order", page: "p1", element: "a", to: 2 },
    { op: "add", page: "p1", element: { kind: "text", id: "a", frame: { x: 1, y: 1, width: 9, height: 9 }, role: "body", text: "" } },
    { op: "remove", page: "p9", element: "a" },
  ];
  for (const change of wrong) assert.throws(() => apply(document, change), Refused, JSON.stringify(change));
  assert.deepEqual(document, book());
});

test("pages come, go and change places by two, and undone it is as before", () => {
  const document = book();
  const page = (id: string): Page => ({ id, elements: [] });
  const back = [apply(document, { op: "insert", page: "p1", pages: [page("p2"), page("p3")] })];
  back.unshift(apply(document, { op: "insert", page: "p3", pages: [page("p4"), page("p5")] }));
  back.unshift(apply(document, { op: "swap", page: "p2" }));
  assert.deepEqual(document.pages.map(({ id }) => id), ["p1", "p4", "p5", "p2", "p3"]);
  back.unshift(apply(document, { op: "discard", page: "p4" }));
  const wrong: Change[] = [
    { op: "insert", page: "p2", pages: [page("a"), page("b")] },
    { op: "insert", page: "p1", pages: [page("a")] },
    { op: "insert", page: "p1", pages: [page("a"), page("p1")] },
    { op: "discard", page: "p1" },
    { op: "discard", page: "p3" },
    { op: "swap", page: "p2" },
    { op: "swap", page: "cover" },
  ];
  for (const change of wrong) assert.throws(() => apply(document, change), Refused, JSON.stringify(change));
  for (const change of back) apply(document, change);
  assert.equal(JSON.stringify(document), JSON.stringify(book()));
});

interface Vectors {
  cases: {
    document: Document;
    steps: { operation: Change & { id: string }; undo: Change | null; page: Page | null; order: string[] }[];
    single: { change: Change; refused: string | null };
    reading: string[][];
  }[];
}

test("the server's operations come to the same here, and undone they are as if they had never been", { skip: !process.env.EDIT_VECTORS }, () => {
  const { cases } = JSON.parse(readFileSync(process.env.EDIT_VECTORS ?? "", "utf8")) as Vectors;
  assert.ok(cases.length > 0);
  for (const { document, steps, single, reading } of cases) {
    const pages = [document.cover, ...document.pages];
    assert.deepEqual(pages.map(({ elements }) => readingOrder(elements.map(({ id, frame, rotation }) => ({ id, frame, rotation: rotation ?? 0 })))), reading);
    const begun = JSON.stringify(document);
    const alone = JSON.parse(begun) as Document;
    let refused: string | null = null;
    try {
      apply(alone, single.change);
    } catch (reason) {
      if (!(reason instanceof Refused)) throw reason;
      refused = reason.message;
    }
    assert.equal(refused, single.refused, JSON.stringify(single.change));
    const back: Change[] = [];
    for (const { operation, undo, page, order } of steps) {
      const mine = apply(document, operation);
      assert.deepEqual(mine, undo);
      // as it would be sent: a key whose value is undefined is not there, and keys have no order
      assert.deepEqual(JSON.parse(JSON.stringify(pageOf(document, operation.page) ?? null)), page);
      assert.deepEqual(document.pages.map(({ id }) => id), order);
      back.unshift(mine);
    }
    for (const change of back) apply(document, change);
    assert.deepEqual(JSON.parse(JSON.stringify(document)), JSON.parse(begun));
  }
});
