import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes, filesDone, next, report } from "./transfer.js";

test("files count when their last byte has gone", () => {
  assert.equal(filesDone([10, 20, 30], 0), 0);
  assert.equal(filesDone([10, 20, 30], 29), 1);
  assert.equal(filesDone([10, 20, 30], 30), 2);
  assert.equal(filesDone([10, 20, 30], 75), 3);
});

test("sizes read well", () => {
  assert.equal(bytes(1), "1 KB");
  assert.equal(bytes(320_000), "320 KB");
  assert.equal(bytes(18_440_000), "18.4 MB");
});

test("the line says what has gone, and when the rest is the server's", () => {
  assert.equal(report([1e6, 2e6], 1.5e6, 3.1e6), "已上传 1 / 2 张，1.5 MB / 3.1 MB");
  assert.equal(report([1e6, 2e6], 3.1e6, 3.1e6), "2 张都已送到，正在处理…");
});

test("the answer decides what the page does", () => {
  const here = "https://books.example/manager/photos";
  assert.equal(next(200, `${here}?added=3`, here), "show");
  assert.equal(next(422, here, here), "show");
  assert.equal(next(200, "https://books.example/manager/opus/9", here), "go");
  assert.equal(next(0, "", here), "fail");
  assert.equal(next(503, here, here), "fail");
});
