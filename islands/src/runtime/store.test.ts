import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { forget, read, write } from "./storage.js";
import { Kept } from "./store.js";

/** A storage with room for so many characters. */
class Shelf {
  readonly kept = new Map<string, string>();
  cleared = 0;

  constructor(private readonly room = Infinity) {}

  getItem(key: string): string | null {
    return this.kept.get(key) ?? null;
  }

  setItem(key: string, text: string): void {
    const others = [...this.kept].filter(([other]) => other !== key).map(([, other]) => other);
    if ([...others, text].join("").length > this.room) throw new DOMException("full", "QuotaExceededError");
    this.kept.set(key, text);
  }

  removeItem(key: string): void {
    this.kept.delete(key);
  }

  clear(): void {
    this.cleared += 1;
    this.kept.clear();
  }
}

const page = new EventTarget();
const given: Record<string, unknown> = globalThis;
given.addEventListener = page.addEventListener.bind(page);
given.removeEventListener = page.removeEventListener.bind(page);

let shelf = new Shelf();
const use = (storage: Shelf) => {
  shelf = storage;
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
};
const isText = (value: unknown) => typeof value === "string";
const elsewhere = (key: string | null) => page.dispatchEvent(Object.assign(new Event("storage"), { key }));

beforeEach(() => use(new Shelf()));

test("values are kept as JSON under the prefix", () => {
  write("cart", ["a"]);
  assert.equal(shelf.kept.get("desk:cart"), '["a"]');
  assert.deepEqual(read("cart"), ["a"]);
  forget("cart");
  assert.equal(read("cart"), undefined);
  shelf.kept.set("desk:cart", "{");
  assert.equal(read("cart"), undefined);
});

test("a full storage is cleared and the value is kept", () => {
  use(new Shelf(20));
  write("old", "x".repeat(15));
  write("new", "y".repeat(15));
  assert.equal(shelf.cleared, 1);
  assert.equal(read("old"), undefined);
  assert.equal(read("new"), "y".repeat(15));
});

test("what no storage can hold stays in memory", () => {
  use(new Shelf(5));
  write("large", "z".repeat(9));
  assert.equal(read("large"), "z".repeat(9));
  forget("large");
  assert.equal(read("large"), undefined);
});

test("a storage that is switched off throws nothing", () => {
  Object.defineProperty(globalThis, "localStorage", {
    get: () => {
      throw new DOMException("off", "SecurityError");
    },
    configurable: true,
  });
  write("off", 1);
  assert.equal(read("off"), 1);
  forget("off");
  assert.equal(read("off"), undefined);
});

test("a kept signal begins with what was kept, writes changes and forgets undefined", () => {
  write("note", "first");
  const note = new Kept("note", isText);
  assert.equal(note.signal.value, "first");
  note.signal.value = "second";
  assert.equal(read("note"), "second");
  note.signal.value = undefined;
  assert.equal(shelf.kept.has("desk:note"), false);
  note.stop();
  note.signal.value = "third";
  assert.equal(read("note"), undefined);
});

test("a kept signal refuses a foreign shape", () => {
  write("note", 7);
  assert.equal(new Kept("note", isText).signal.value, undefined);
});

test("a kept signal follows other tabs until it is stopped", () => {
  const note = new Kept("note", isText);
  shelf.kept.set("desk:note", '"theirs"');
  elsewhere("desk:other");
  assert.equal(note.signal.value, undefined);
  elsewhere("desk:note");
  assert.equal(note.signal.value, "theirs");
  shelf.kept.clear();
  elsewhere(null);
  assert.equal(note.signal.value, undefined);
  note.stop();
  shelf.kept.set("desk:note", '"later"');
  elsewhere("desk:note");
  assert.equal(note.signal.value, undefined);
});
