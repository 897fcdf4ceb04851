import assert from "node:assert/strict";
import { test } from "node:test";
import type { Document } from "./document.js";
import { apply } from "./edit.js";
import { moving } from "./pages.js";

/** A book of so many pages, the first of which stands alone. */
function book(count: number): Document {
  const page = (id: string) => ({ id, elements: [] });
  const pages = Array.from({ length: count }, (_, place) => page(`p${place}`));
  return { version: 1, trim: { width: 210, height: 210 }, theme: "journal", title: "海", cover: page("cover"), pages };
}

const order = ({ pages }: Document) => pages.map(({ id }) => id).join(" ");

test("a pair comes to any place among the pairs, the others keep their order, and it is taken back", () => {
  for (const count of [3, 6, 11, 12]) {
    const pairs = Math.floor((count - 1) / 2);
    const lefts = Array.from({ length: pairs }, (_, pair) => `p${2 * pair + 1}`);
    for (let from = 0; from < pairs; from += 1) {
      for (let to = 0; to < pairs; to += 1) {
        const document = book(count);
        const before = order(document);
        const wanted = lefts.filter((_, pair) => pair !== from);
        wanted.splice(to, 0, lefts[from] ?? "");
        const back = moving(lefts, from, to).map((change) => apply(document, change)).reverse();
        assert.deepEqual(document.pages.map(({ id }) => id).filter((id) => lefts.includes(id)), wanted);
        // whoever faced whom still does, and what stands alone stays
        assert.equal(document.pages[0]?.id, "p0");
        for (let left = 1; left + 1 < count; left += 2) assert.equal(`p${Number(document.pages[left]?.id.slice(1)) + 1}`, document.pages[left + 1]?.id);
        for (const change of back) apply(document, change);
        assert.equal(order(document), before);
      }
    }
  }
  assert.deepEqual(moving(["p1", "p3"], 0, 2), []);
  assert.deepEqual(moving(["p1", "p3"], -1, 0), []);
});
