import assert from "node:assert/strict";
import { test } from "node:test";
import { cacheOf } from "./cache.js";
import { homeOf, isIn, isPicture, scopeOf } from "./shelf.js";

test("a page belongs to the volume that it is a page of", () => {
  const issue = "/epaper/xihu/2026-11-20";
  assert.deepEqual(["", "/3", "/a/12"].map((page) => homeOf(issue + page)), [issue, issue, issue]);
  assert.equal(homeOf("/read/W1/7"), "/read/W1");
  assert.equal(homeOf("/magazine/m/4"), "/magazine/m/4");
  assert.deepEqual(["/epaper/xihu", "/read/W1/report", `${issue}/search`, "/manager/epaper/1"].map(homeOf), [undefined, undefined, undefined, undefined]);
  assert.deepEqual([`${issue}/picture/k/1/720`, `${issue}/photo/1/1/320`, "/read/W1/area/k/1/1/1280", `${issue}/offline`].map(isPicture), [true, true, true, false]);
});

test("the last volume of a part of the site is known by its cache", () => {
  const caches = [cacheOf("/read/W1"), cacheOf("/epaper/xihu/2026-11-20")];
  assert.deepEqual(caches, ["read:W1", "read:/epaper/xihu/2026-11-20"]);
  assert.equal(scopeOf("/epaper/xihu/2026-11-20"), "/epaper/");
  for (const scope of ["/read/", "/epaper/"]) assert.equal(caches.filter((cache) => isIn(cache, scope)).length, 1, scope);
  assert.equal(caches.some((cache) => isIn(cache, "/magazine/")), false);
  assert.equal(isIn("another", "/read/"), false);
});
