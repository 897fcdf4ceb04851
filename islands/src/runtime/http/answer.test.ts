import assert from "node:assert/strict";
import { test } from "node:test";
import { objectOf, unnest } from "./answer.js";
import { HttpError } from "./error.js";

const answer = (body: string) => ({ body, url: "" });

test("an answer of status 1 is its object", () => {
  assert.deepEqual(objectOf(answer('{"status":1,"data":{"list":[]}}')), { status: 1, data: { list: [] } });
});

test("another status is a failure with the server's reason, wherever it stands", () => {
  const failure = (body: string) => {
    try {
      return objectOf(answer(body));
    } catch (error) {
      return error instanceof HttpError && [error.code, error.msg];
    }
  };
  assert.deepEqual(failure('{"status":0,"msg":"已停售"}'), [500, "已停售"]);
  assert.deepEqual(failure('{"status":0,"data":{"msg":"已停售"}}'), [500, "已停售"]);
  assert.deepEqual(failure('{"code":401,"msg":"请登录"}'), [401, "请登录"]);
  assert.deepEqual(failure("<html>"), [500, "请求失败"]);
  assert.deepEqual(failure("null"), [500, "请求失败"]);
});

test("JSON in JSON is decoded once", () => {
  const inner = JSON.stringify({ deeper: '{"a":1}' });
  assert.deepEqual(unnest({ data: inner, list: ['{"b":2}', "{c", "[1]", "7"], n: null }), {
    data: { deeper: '{"a":1}' },
    list: [{ b: 2 }, "{c", "[1]", "7"],
    n: null,
  });
});
