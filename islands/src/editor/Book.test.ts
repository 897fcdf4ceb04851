import assert from "node:assert/strict";
import { test } from "node:test";
import { Book } from "./Book.js";
import type { Document } from "./document.js";
import type { Change } from "./edit.js";

const photo = (id: string) => ({ kind: "photo" as const, id, photo: `of-${id}`, frame: { x: 20, y: 50, width: 40, height: 30 }, crop: { x: 0, y: 0, width: 1, height: 1 } });
const book = (): Document => ({
  version: 2,
  trim: { width: 200, height: 200 },
  theme: "calm",
  title: "山水之间",
  cover: { id: "cover", elements: [] },
  pages: [{ id: "p1", elements: [photo("a")] }],
});

const add = (id: string): Change => ({ op: "add", page: "p1", element: photo(id) });
const remove = (id: string): Change => ({ op: "remove", page: "p1", element: id });

test("what was taken away again has no picture of that revision", () => {
  const shown = new Book(book(), 1);
  const made = [add("b"), remove("b")];
  for (const change of made) shown.make(change);
  shown.acknowledged(2, made, []);
  shown.make(add("b"));
  assert.equal(shown.element("b")?.drawn.peek(), 0, "it came back, and the server has not heard of it");
  shown.acknowledged(3, [add("b")], []);
  assert.equal(shown.element("b")?.drawn.peek(), 3);
});

test("what had a picture keeps it while it is away", () => {
  const shown = new Book(book(), 1);
  shown.make(remove("a"));
  shown.acknowledged(2, [remove("a")], []);
  shown.make(add("a"));
  assert.equal(shown.element("a")?.drawn.peek(), 1);
});
