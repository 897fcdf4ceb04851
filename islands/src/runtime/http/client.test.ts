import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { Http, keyOf } from "./client.js";
import { HttpError } from "./error.js";
import { Latest } from "./latest.js";

interface Seen {
  url: string;
  method: string | undefined;
  headers: Headers;
  body: string;
}

const real = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = real;
});

/** Answers requests one after the other as told, the last answer for all that follow; returns what was asked. */
function server(...answers: (() => Response | Promise<Response>)[]): Seen[] {
  const seen: Seen[] = [];
  globalThis.fetch = async (input, init) => {
    const answer = answers[Math.min(seen.length, answers.length - 1)];
    const body = init?.body instanceof URLSearchParams ? init.body.toString() : "";
    seen.push({ url: input as string, method: init?.method, headers: new Headers(init?.headers), body });
    const aborted = new Promise<never>((_, reject) => {
      init?.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
    });
    if (!answer) throw new TypeError("no answer");
    return Promise.race([answer(), aborted]);
  };
  return seen;
}

const text = (body: string) => () => new Response(body);
const status = (status: number, headers = {}, body = "") => () => new Response(body, { status, headers });
const never = () => new Promise<Response>(() => undefined);
const broken = () => Promise.reject(new TypeError("network"));
const http = new Http({ delay: 1, timeout: 1000 });
const code = (error: number) => (thrown: unknown) => thrown instanceof HttpError && thrown.code === error;

test("the key is made of method, address, parameters and data, whatever their order", () => {
  const key = (method: "GET" | "POST", url: string, params = "", data = "") =>
    keyOf({ method, url, params: new URLSearchParams(params), data: new URLSearchParams(data) });
  assert.equal(key("GET", "/a", "x=1&y=2"), key("GET", "/a", "y=2&x=1"));
  const all = [key("GET", "/a"), key("POST", "/a"), key("GET", "/b"), key("GET", "/a", "x=1"), key("GET", "/a", "", "x=1"), key("GET", "/a", "x=2")];
  assert.equal(new Set(all).size, all.length);
});

test("a repetition joins the running request, and a later one is sent anew", async () => {
  const seen = server(text("ok"));
  const answers = await Promise.all([http.get("/a", { x: "1" }), http.get("/a", { x: "1" }), http.get("/a", { x: "2" })]);
  assert.deepEqual(answers.map((answer) => answer.body), ["ok", "ok", "ok"]);
  assert.deepEqual(seen.map((request) => request.url), ["/a?x=1", "/a?x=2"]);
  await http.get("/a", { x: "1" });
  assert.equal(seen.length, 3);
  await Promise.all([http.post("/b", { y: "中 文" }), http.post("/b", { y: "中 文" })]);
  assert.equal(seen.length, 4);
  assert.equal(seen[3]?.body, "y=%E4%B8%AD+%E6%96%87");
});

test("who leaves a joined request leaves it to the others; the last one ends it", async () => {
  let answer: (response: Response) => void = () => undefined;
  const seen = server(() => new Promise((resolve) => (answer = resolve)), text("new"));
  const first = new AbortController();
  const left = http.get("/a", {}, { signal: first.signal });
  const stayed = http.get("/a");
  first.abort();
  await assert.rejects(left, { name: "AbortError" });
  answer(new Response("ok"));
  assert.equal((await stayed).body, "ok");

  const alone = new AbortController();
  const ended = http.get("/slow", {}, { signal: alone.signal });
  alone.abort();
  await assert.rejects(ended, { name: "AbortError" });
  assert.equal((await http.get("/slow")).body, "new");
  assert.equal(seen.length, 3);
  await assert.rejects(http.get("/slow", {}, { signal: alone.signal }), { name: "AbortError" });
});

test("a newer request takes the place of the older", async () => {
  server(never, text("newer"));
  const latest = new Latest();
  const older = latest.run((signal) => http.get("/price", { count: "1" }, { signal }));
  const newer = latest.run((signal) => http.get("/price", { count: "2" }, { signal }));
  await assert.rejects(older, { name: "AbortError" });
  assert.equal((await newer).body, "newer");
});

test("what may pass is tried again, three times unless told otherwise", async () => {
  const seen = server(broken, status(503), status(502), text("ok"));
  assert.equal((await http.get("/a")).body, "ok");
  assert.equal(seen.length, 4);
  const failing = server(status(504));
  await assert.rejects(http.get("/a"), code(504));
  assert.equal(failing.length, 4);
  const impatient = server(broken);
  await assert.rejects(new Http({ delay: 1, retries: 1 }).get("/a"), (error) => code(500)(error) && (error as HttpError).msg === "请求失败");
  assert.equal(impatient.length, 2);
});

test("a refusal and a 500 are final; so is every failed POST that is not idempotent", async () => {
  for (const refusal of [400, 401, 403, 404, 422, 429, 500]) {
    const seen = server(status(refusal));
    await assert.rejects(http.get("/a"), code(refusal));
    assert.equal(seen.length, 1, String(refusal));
  }
  const once = server(status(503));
  await assert.rejects(http.post("/a"), code(503));
  assert.equal(once.length, 1);
  const again = server(status(503), text("ok"));
  await http.post("/a", {}, { idempotent: true });
  assert.equal(again.length, 2);
});

test("Retry-After is respected when it is short", async () => {
  const short = server(status(429, { "Retry-After": "0" }), text("ok"));
  await http.get("/a");
  assert.equal(short.length, 2);
  const long = server(status(503, { "Retry-After": "60" }));
  await assert.rejects(http.get("/a"), code(503));
  assert.equal(long.length, 1);
});

test("a try has its time, and leaving ends the waiting between tries", async () => {
  const slow = new Http({ delay: 1, retries: 1, timeout: 5 });
  const seen = server(never, text("ok"));
  assert.equal((await slow.get("/a")).body, "ok");
  assert.equal(seen.length, 2);
  server(status(503));
  const controller = new AbortController();
  const waiting = new Http({ delay: 60_000 }).get("/a", {}, { signal: controller.signal });
  setTimeout(() => controller.abort(), 5);
  await assert.rejects(waiting, { name: "AbortError" });
});

test("the reason is the server's where it gives one", async () => {
  const reason = async (type: string, body: string) => {
    server(status(400, { "content-type": type }, body));
    return http.get("/a").then(undefined, (error: unknown) => error as HttpError);
  };
  const json = await reason("application/json", '{"code":4001,"msg":"请选择覆膜"}');
  assert.deepEqual([(json as HttpError).code, (json as HttpError).msg], [4001, "请选择覆膜"]);
  const plain = await reason("text/plain; charset=utf-8", "请选择覆膜");
  assert.deepEqual([(plain as HttpError).code, (plain as HttpError).reason], [400, "请选择覆膜"]);
  const page = await reason("text/html", "<h1>没有办成</h1>");
  assert.deepEqual([(page as HttpError).msg, (page as HttpError).reason], ["请求失败", ""]);
});

test("the token goes along except to the login", async () => {
  const seen = server(text("ok"));
  const client = new Http({ token: () => "t-1" });
  await client.get("/user-center/getMemberInfo");
  await client.post("/user-center/login", { account: "a" });
  await client.post("/shopping/updateDefaultAddr");
  await http.get("/cart/cartInfo");
  assert.deepEqual(seen.map((request) => request.headers.get("authorization")), ["t-1", null, "t-1", null]);
});

test("a client with a key signs what it sends", async () => {
  const seen = server(text("ok"));
  const client = new Http({ signKey: "secret" });
  await client.get("/a", { b: "2", a: "1", empty: "" });
  await client.post("/a", { b: "2", a: "1" });
  // MD5 of a=1&b=2&key=secret
  const signature = "9F565CCD686CFA5DC3B06B3A89E4E3AD";
  assert.equal(seen[0]?.url, `/a?b=2&a=1&empty=&sign=${signature}`);
  assert.equal(seen[1]?.body, `b=2&a=1&sign=${signature}`);
});
