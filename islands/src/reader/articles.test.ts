import assert from "node:assert/strict";
import { test } from "node:test";
import { isArticle } from "./articles.js";

test("articles and their parts on other pages are told from other links", () => {
  for (const address of ["/epaper/daily/2026-01-10/a/1", "/magazine/hills/12/a/34#part-5"]) assert.ok(isArticle(address), address);
  for (const address of ["/epaper/daily/2026-01-10/2", "/epaper/daily/2026-01-10/a/1/giving", "https://example.com/#a/1x", "/a/1#other"])
    assert.ok(!isArticle(address), address);
});
