import assert from "node:assert/strict";
import { test } from "node:test";
import type { Upload } from "tus-js-client";
import type { Sending } from "./File.js";
import { Uploads, type World } from "./Model.js";
import { isHeif, sha256 } from "./digest.js";
import type { Ends } from "./transport.js";

const PROPS = { address: "/manager/uploads", picture: "", chunk: 1000, isGuests: false, label: "", hint: "", mostBytes: 1000, left: 10_000, noRoom: "素材空间不足", heic: "不支持 HEIC", inForm: false };

/** A server that takes what the test lets it take. */
class Server implements World {
  known: Record<string, string> = {};
  coming: Record<string, string> = {};
  /** Files of which a part has come. */
  open: string[] = [];
  /** Small copies that came, by file name; of what is odd none can be made. */
  readonly ahead: string[] = [];
  losesCopies = false;
  left = 10_000;
  isAway = false;
  /** What its answers wait for. */
  busy = Promise.resolve();
  readonly asked: number[] = [];
  /** Uploads that were ever begun, by file name. */
  readonly begun: string[] = [];
  readonly running = new Map<string, { item: Sending; ends: Ends; isRunning: boolean }>();

  ask = async (hashes: string[]) => {
    this.asked.push(hashes.length);
    if (this.isAway) throw new TypeError("no line");
    await this.busy;
    return { known: this.known, coming: this.coming, open: this.open, left: this.left };
  };
  send = (item: Sending, ends: Ends) => {
    this.begun.push(item.file.name);
    const state = { item, ends, isRunning: false };
    this.running.set(item.file.name, state);
    const upload = {
      start: () => (item.isCounted = state.isRunning = true),
      abort: () => Promise.resolve((state.isRunning = false)),
    };
    return Promise.resolve(upload as unknown as Upload);
  };
  sendAhead = (item: Sending) => {
    if (this.losesCopies) return Promise.reject(new TypeError("no line"));
    this.ahead.push(item.file.name);
    return Promise.resolve(item.file.name.startsWith("odd") ? "" : `copy-${item.file.name}`);
  };
  sha256 = (file: Blob) => sha256(file);

  take(name: string): void {
    const running = this.running.get(name);
    assert.ok(running?.isRunning, `${name} is being sent`);
    this.running.delete(name);
    running.ends.taken(`photo-${name}`);
  }
}

const file = (name: string, content = name) => new File([content], name);
const names = (count: number) => Array.from({ length: count }, (_, index) => `${index}.jpg`);
const tick = () => new Promise((done) => setTimeout(done, 5));
/** Until every file is judged, or nothing goes on. */
async function settled(uploads: Uploads): Promise<void> {
  const isOpen = () => states(uploads).some((state) => state === "waiting" || state === "checking");
  for (let tries = 0; tries < 500 && isOpen() && !uploads.isPaused.value; tries += 1) await tick();
  await tick();
}
const states = (uploads: Uploads) => uploads.items.value.map((item) => item.state.value);

test("three files at once, and the next when one is taken", async () => {
  const server = new Server();
  const uploads = new Uploads(PROPS, server);
  uploads.add(names(5).map((name) => file(name)));
  await settled(uploads);
  assert.deepEqual(server.asked, [5], "one question for all");
  assert.deepEqual(server.begun, ["0.jpg", "1.jpg", "2.jpg"]);
  server.take("1.jpg");
  await settled(uploads);
  assert.deepEqual(server.begun, ["0.jpg", "1.jpg", "2.jpg", "3.jpg"]);
  for (const name of ["0.jpg", "2.jpg", "3.jpg"]) server.take(name);
  await settled(uploads);
  server.take("4.jpg");
  assert.ok(uploads.isOver.value);
  assert.deepEqual([...uploads.photos.value].sort(), names(5).map((name) => `photo-${name}`));
  assert.equal(uploads.bytesSent.value, uploads.bytesAll.value);
});

test("what is here already, or chosen twice, is not sent", async () => {
  const server = new Server();
  const old = file("old.jpg");
  server.known[await sha256(old)] = "p1";
  const uploads = new Uploads(PROPS, server);
  uploads.add([old, file("new.jpg"), file("again.jpg", "new.jpg")]);
  await settled(uploads);
  assert.deepEqual(states(uploads), ["known", "sending", "known"]);
  assert.deepEqual(server.begun, ["new.jpg"]);
  assert.deepEqual(uploads.photos.value, ["p1"]);
});

test("what can't be taken is refused before a byte is sent", async () => {
  const server = new Server();
  server.left = 25;
  const uploads = new Uploads(PROPS, server);
  uploads.add([
    file("empty.jpg", ""),
    file("large.jpg", "x".repeat(1001)),
    file("phone.heic", "\0\0\0\x18ftypheic"),
    file("fits.jpg", "x".repeat(20)),
    file("full.jpg", "y".repeat(20)),
  ]);
  await settled(uploads);
  assert.deepEqual(states(uploads), ["refused", "refused", "refused", "sending", "refused"]);
  assert.deepEqual(
    uploads.items.value.map((item) => item.reason),
    ["文件是空的", "文件有 1 KB，超过了每张 100 MB 的上限", PROPS.heic, "", PROPS.noRoom],
  );
});

test("a file of which a part has come needs no more room, and takes it from no other", async () => {
  const server = new Server();
  const half = file("half.jpg", "x".repeat(20));
  server.open = [await sha256(half)];
  server.left = 20;
  const uploads = new Uploads(PROPS, server);
  uploads.add([...names(3).map((name) => file(name)), half]);
  await settled(uploads);
  assert.deepEqual(states(uploads), ["sending", "sending", "sending", "ready"]);
  server.left = 5;
  uploads.add([file("3.jpg"), file("4.jpg")]);
  await settled(uploads);
  assert.deepEqual(states(uploads).slice(3), ["ready", "ready", "refused"]);
});

test("a line that breaks during a question counts no file twice", async () => {
  const server = new Server();
  server.left = 25;
  const uploads = new Uploads(PROPS, server);
  uploads.add([file("large.jpg", "x".repeat(20))]);
  await settled(uploads);
  let answer: () => void = () => undefined;
  server.busy = new Promise((done) => (answer = done));
  server.left = 5;
  uploads.add([file("0.jpg")]);
  while (server.asked.length < 2) await tick();
  server.running.get("large.jpg")?.ends.failed(0, "");
  answer();
  await settled(uploads);
  assert.deepEqual(states(uploads), ["ready", "ready"]);
});

test("pausing stops every file, and going on starts each once", async () => {
  const server = new Server();
  const uploads = new Uploads(PROPS, server);
  uploads.add(names(4).map((name) => file(name)));
  await settled(uploads);
  uploads.pause();
  assert.ok([...server.running.values()].every(({ isRunning }) => !isRunning));
  uploads.resume();
  await settled(uploads);
  assert.ok([...server.running.values()].every(({ isRunning }) => isRunning));
  assert.equal(server.begun.length, 3);
});

test("a line that stays broken pauses everything, says so, and loses nothing", async () => {
  const server = new Server();
  const uploads = new Uploads(PROPS, server);
  uploads.add(names(2).map((name) => file(name)));
  await settled(uploads);
  server.running.get("0.jpg")?.ends.failed(0, "");
  assert.ok(uploads.isPaused.value);
  assert.match(uploads.problem.value, /网络不通/);
  uploads.resume();
  await settled(uploads);
  assert.equal(uploads.problem.value, "");
  server.take("0.jpg");
  server.take("1.jpg");
  assert.ok(uploads.isOver.value);
});

const IN_FORM = { ...PROPS, mostBytes: 10 << 20, left: 100 << 20, inForm: true };
const large = (name: string) => file(name, name.padEnd(1 << 20, "x"));

test("small copies go ahead of all originals, so that pages can be laid out", async () => {
  const server = new Server();
  server.left = 100 << 20;
  const uploads = new Uploads(IN_FORM, server);
  uploads.add([large("0.jpg"), file("small.jpg"), large("odd.jpg"), large("1.jpg")]);
  await settled(uploads);
  assert.deepEqual(server.ahead, ["0.jpg", "odd.jpg", "1.jpg"]);
  assert.deepEqual(server.begun, ["0.jpg", "small.jpg", "odd.jpg"], "then the originals");
  assert.deepEqual(uploads.photos.value, ["copy-0.jpg", "copy-1.jpg"]);
  const isShown = () => uploads.isShown.value;
  assert.equal(isShown(), false, "two are still to be seen");
  server.take("small.jpg");
  server.take("odd.jpg");
  assert.deepEqual([isShown(), uploads.isOver.value], [true, false]);
});

test("an original whose copy is there already comes without another one", async () => {
  const server = new Server();
  server.left = 100 << 20;
  const one = large("one.jpg");
  server.coming[await sha256(one)] = "p7";
  const uploads = new Uploads(IN_FORM, server);
  uploads.add([one]);
  await settled(uploads);
  assert.deepEqual([server.ahead, server.begun, uploads.photos.value], [[], ["one.jpg"], ["p7"]]);
});

test("copies that get lost hold nothing up, and are sent when the line is back", async () => {
  const server = new Server();
  server.left = 100 << 20;
  server.losesCopies = true;
  const uploads = new Uploads(IN_FORM, server);
  uploads.add([large("0.jpg"), large("1.jpg")]);
  await settled(uploads);
  assert.deepEqual(server.begun, ["0.jpg", "1.jpg"]);
  server.losesCopies = false;
  for (const name of ["0.jpg", "1.jpg"]) server.running.get(name)?.ends.failed(0, "");
  uploads.resume();
  await settled(uploads);
  assert.deepEqual(server.ahead, ["0.jpg", "1.jpg"]);
});

test("a session that ended is said, and a refusal is the server's own", async () => {
  const server = new Server();
  const uploads = new Uploads(PROPS, server);
  uploads.add([file("0.jpg"), file("1.jpg")]);
  await settled(uploads);
  server.running.get("1.jpg")?.ends.failed(422, "这个文件不是照片");
  assert.equal(uploads.items.value[1]?.reason, "这个文件不是照片");
  server.running.get("0.jpg")?.ends.failed(401, "请先登录");
  assert.ok(uploads.isSignedOut.value);
});

test("a question that nobody answers is asked again", async () => {
  const server = new Server();
  server.isAway = true;
  const uploads = new Uploads(PROPS, server);
  uploads.add([file("0.jpg")]);
  await settled(uploads);
  assert.ok(uploads.isPaused.value);
  server.isAway = false;
  uploads.resume();
  await settled(uploads);
  assert.deepEqual(server.begun, ["0.jpg"]);
});

test("phones' new photos are known by their first bytes", async () => {
  assert.ok(await isHeif(new Blob(["\0\0\0\x18ftypheic"])));
  assert.ok(await isHeif(new Blob(["\0\0\0\x18ftypavif"])));
  assert.ok(!(await isHeif(new Blob(["x"]))));
});

test("a digest is the known one, with and without the browser's own", async () => {
  const expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  assert.equal(await sha256(new Blob(["abc"])), expected);
  const { crypto } = globalThis;
  Object.defineProperty(globalThis, "crypto", { value: {}, configurable: true });
  try {
    assert.equal(await sha256(new Blob(["abc"])), expected);
  } finally {
    Object.defineProperty(globalThis, "crypto", { value: crypto, configurable: true });
  }
});

const GUEST = { ...PROPS, mostBytes: 10 << 20, left: 100 << 20, isGuests: true };

test("a guest's photos wait for their form, and their small copies go first", async () => {
  const server = new Server();
  server.left = 100 << 20;
  const uploads = new Uploads(GUEST, server);
  uploads.add([large("0.jpg"), file("small.jpg")]);
  await tick();
  assert.deepEqual([server.asked, states(uploads)], [[], ["waiting", "waiting"]]);
  uploads.begin();
  await settled(uploads);
  assert.deepEqual([server.ahead, server.begun], [["0.jpg"], ["0.jpg", "small.jpg"]]);
  // taken back on the page, its upload gives its place back
  uploads.drop("copy-0.jpg");
  assert.equal(server.running.get("0.jpg")?.isRunning, false);
  assert.equal(uploads.items.value.length, 1);
});

test("a full share ends what has no place, and a collection that ended all", async () => {
  const server = new Server();
  server.left = 100 << 20;
  const uploads = new Uploads(GUEST, server);
  uploads.add([large("0.jpg"), ...names(5).slice(1).map((name) => file(name))]);
  uploads.begin();
  await settled(uploads);
  server.running.get("1.jpg")?.ends.failed(422, "已经发满了", "new");
  assert.deepEqual(states(uploads), ["sending", "refused", "sending", "refused", "refused"]);
  server.running.get("2.jpg")?.ends.failed(410, "已经停止收照片了", "all");
  assert.deepEqual(states(uploads), ["refused", "refused", "refused", "refused", "refused"]);
  assert.equal(uploads.items.value[0]?.reason, "已经停止收照片了");
});
