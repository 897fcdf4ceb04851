import assert from "node:assert/strict";
import { test } from "node:test";
import type { EditorPhoto } from "../generated/works.js";
import { type Filter, type Order, chosen, counted, trayName } from "./tray.js";

const photo = (id: string, more: Partial<EditorPhoto> = {}): EditorPhoto => ({ id, name: `${id}.jpg`, width: 4, height: 3, isUsable: true, takenAt: null, hasFaces: false, flaw: "", ...more });
const library = [photo("d", { takenAt: 300 }), photo("c", { hasFaces: true }), photo("b", { takenAt: 100, flaw: "模糊" }), photo("a", { takenAt: 200, hasFaces: true })];
const counts = counted(["d", "a", "d"]);
const ids = (filter: Filter, order: Order) => chosen(library, filter, order, counts).map(({ id }) => id).join("");

test("the tray shows what is asked for", () => {
  assert.equal(ids("all", "newest"), "dcba");
  assert.equal(ids("unused", "newest"), "cb");
  assert.equal(ids("used", "newest"), "da");
  assert.equal(ids("faces", "newest"), "ca");
  assert.equal(ids("fine", "newest"), "dca");
});

test("photos come by their time, those without one last, or the seldom used first", () => {
  assert.equal(ids("all", "taken"), "badc");
  assert.equal(ids("all", "seldom"), "cbad");
  assert.equal(ids("faces", "taken"), "ac");
  assert.equal(library.map(({ id }) => id).join(""), "dcba", "the library stays as it is");
});

test("a photo is heard with what is to be known of it", () => {
  assert.deepEqual([0, 1, 2].map((count) => trayName(photo("a"), count)), ["a.jpg", "a.jpg，已用", "a.jpg，已用 2 次"]);
  assert.equal(trayName(photo("a", { flaw: "太暗" }), 1), "a.jpg，已用，太暗");
});
