import assert from "node:assert/strict";
import { test } from "node:test";
import type { EditorPhoto, EditorPhotos } from "../generated/works.js";
import { Library } from "./Library.js";

const photo = (id: string, name = `${id}.jpg`): EditorPhoto => ({ id, name, width: 4, height: 3, isUsable: true, takenAt: null, hasFaces: false, flaw: "" });
const part = (ids: string[], isFurther: boolean): EditorPhotos => ({ photos: ids.map((id) => photo(id)), isFurther });

/** A library of which the editor is given two photos; what is asked is written down. */
function opened(isFurther: boolean, answers: EditorPhotos[] = []) {
  const asked: string[][] = [];
  const ask = (...words: string[]) => {
    asked.push(words);
    return Promise.resolve(answers.shift() ?? part([], false));
  };
  return { asked, library: new Library({ newest: part(["d", "c"], isFurther), shown: [photo("a", "海边.JPG")] }, ask) };
}

test("a library comes by parts, each after the last, and no photo twice", async () => {
  const { asked, library } = opened(true, [part(["b", "a"], false)]);
  assert.deepEqual(library.found(""), { ids: ["d", "c"], isFurther: true });
  await library.further("");
  assert.deepEqual(asked, [["", "c"]]);
  assert.deepEqual(library.found(""), { ids: ["d", "c", "b", "a"], isFurther: false });
});

test("what is looked for is asked of the server as long as it has more than is here", async () => {
  const { asked, library } = opened(true, [part(["a"], false)]);
  assert.equal(library.found("海"), undefined);
  await library.further("海");
  assert.deepEqual(asked, [["海", ""]]);
  assert.deepEqual(library.found("海")?.ids, ["a"]);
});

test("in a library that is here whole nobody is asked", () => {
  const { asked, library } = opened(false);
  assert.deepEqual(library.found("D.J"), { ids: ["d"], isFurther: false });
  assert.deepEqual(library.found("海"), { ids: [], isFurther: false });
  assert.deepEqual(asked, []);
});

test("what the work shows is known, and not among the newest", () => {
  const { library } = opened(true);
  assert.equal(library.known.peek().get("a")?.name, "海边.JPG");
});

test("what has come is the first, however much it is, and what was looked for is asked anew", async () => {
  const { asked, library } = opened(true, [part(["c"], false), part(["g", "f"], true), part(["e", "d"], true)]);
  await library.further("c");
  await library.come(["e", "f", "g"]);
  assert.deepEqual(asked.slice(1), [["", ""], ["", "f"]]);
  assert.deepEqual(library.found(""), { ids: ["g", "f", "e", "d"], isFurther: true });
  assert.equal(library.found("c"), undefined);
});
