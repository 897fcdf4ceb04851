import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import type { CartInfo } from "../generated/cart.js";
import { HttpError } from "../runtime/http/error.js";
import { forget, read } from "../runtime/storage.js";
import { type Item, PrintOptions, type Step } from "./Model.js";
import type { Calls, Priced } from "./calls.js";
import type { Typed } from "./choice.js";

/** Milliseconds between two frames. */
const FRAME = 16;
const page = new EventTarget();
Object.assign(globalThis, {
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  document: page,
  requestAnimationFrame: (paint: () => void) => setTimeout(paint, FRAME),
  cancelAnimationFrame: clearTimeout,
});

const item = (Cnum: string, reason = ""): Item => ({
  ...{ Cnum, Name: `名${Cnum}`, enable: true, fits: reason === "", reason, cover: "", desc: "", tips: "", surcharge: "" },
});
const step = (ID: string, items: Item[], selCnum: string, IsShow: "Y" | "N" = "Y"): Step => ({
  ...{ ID, Name: `步${ID}`, IsShow, items, selCnum, cover: "", desc: "", tips: "", ownTips: "" },
});

const info = (more: Partial<CartInfo> = {}): CartInfo => ({
  goods: { ID: "album", EditorType: 12, isHasPastedown: "y" },
  pageNum: 24,
  count: 2,
  photoPath: "",
  clientDesignName: "海边的夏天",
  goodsName: "小画册",
  showPageNum: "24 页",
  remarkinfo: "",
  yhstr: "",
  totalPrice: "80.01",
  unitPrice: "40.00",
  zhuangDingPageCfg: {},
  buzhou: [
    step("1", [item("wire"), item("glue", "24 页超出 32–400"), item("hard")], "wire"),
    step("2", [item("none"), item("bright")], "none"),
    step("3", [item("hidden")], "hidden", "N"),
    step("4", [], ""),
  ],
  bundles: [],
  makingDays: "5–7",
  exclusions: [["hard", "none"]],
  exclusionReasons: ["精装的内页必须覆膜"],
  artwork: null,
  frontPath: "",
  frontCnums: [],
  ...more,
});

/** A server that remembers what it is asked and answers when told. */
class Server implements Calls {
  readonly asked: string[] = [];
  fails: HttpError | undefined;
  readonly #waiting: (() => void)[] = [];
  holds = false;

  total({ cnums, count }: Priced, signal: AbortSignal): Promise<number> {
    return this.#answer(`total ${cnums} ${count}`, count * 1000, signal);
  }

  lines({ cnums, count }: Priced, signal: AbortSignal) {
    return this.#answer(`lines ${cnums} ${count}`, { total: count * 1001, list: [{ label: cnums, detail: "", amount: "1.00" }] }, signal);
  }

  update(cartID: string, { cnums, count }: Priced, remark: string, signal: AbortSignal, artwork?: string): Promise<void> {
    signal.addEventListener("abort", () => this.release());
    return this.#answer(`update ${[cartID, cnums, count, remark, artwork].filter((part) => part !== undefined).join(" ")}`, undefined, signal);
  }

  release(): void {
    for (const go of this.#waiting.splice(0)) go();
  }

  async #answer<T>(asked: string, answer: T, signal?: AbortSignal): Promise<T> {
    this.asked.push(asked);
    const { fails } = this;
    if (this.holds) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    signal?.throwIfAborted();
    if (fails) throw fails;
    return answer;
  }
}

let server = new Server();
const open: PrintOptions[] = [];
const model = (more?: Partial<CartInfo>, typed?: Typed) => {
  const made = new PrintOptions(info(more), "line", typed, server);
  open.push(made);
  return made;
};
const chosen = ({ rows }: PrintOptions) => rows.map((row) => row.value.selected?.Cnum);
const explained = ({ price }: PrintOptions) => price.lines.value?.[0]?.label;
const paint = () => {
  mock.timers.tick(FRAME);
  mock.timers.tick(1);
};
/** A frame, the debounce after it, and then everything that was waiting for it. */
const rest = async () => {
  paint();
  mock.timers.tick(150);
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

beforeEach(() => {
  server = new Server();
  forget("options:line");
  mock.timers.enable({ apis: ["setTimeout"] });
});
afterEach(() => {
  for (const made of open.splice(0)) made.stop();
  mock.timers.reset();
});

test("the dialog begins with the line as it is kept and asks for nothing", async () => {
  const options = model();
  assert.deepEqual(chosen(options), ["wire", "none"]);
  assert.deepEqual(options.rows[0]?.value.obstacles, [undefined, "24 页超出 32–400", undefined]);
  assert.equal(options.hasRemarks, true);
  assert.equal(options.price.total.value, 8001);
  assert.equal(options.price.unit.value, 4000);
  await rest();
  assert.deepEqual(server.asked, []);
  assert.equal(read("options:line"), undefined);
});

test("a choice moves another step only where the rules say so, and says which", () => {
  const options = model();
  options.choose(0, "hard");
  assert.deepEqual(chosen(options), ["hard", "bright"]);
  assert.deepEqual(options.rows.map((row) => row.value.moved), ["", "已将步2改为名bright"]);
  assert.deepEqual(options.rows[1]?.value.obstacles, ["精装的内页必须覆膜", undefined]);
  options.choose(0, "wire");
  assert.deepEqual(chosen(options), ["wire", "bright"]);
  assert.deepEqual(options.rows.map((row) => row.value.moved), ["", ""]);
});

test("a choice is shown before anything is kept, priced or drawn that it does not change", () => {
  const options = model();
  const drawn: number[] = [];
  const stops = options.rows.map((row, place) => row.subscribe(() => drawn.push(place)));
  const all = drawn.splice(0);
  options.choose(1, "bright");
  assert.deepEqual([all, drawn], [[0, 1], [1]]);
  assert.equal(options.price.stale.value, false);
  assert.equal(read("options:line"), undefined);
  paint();
  assert.equal(options.price.stale.value, true);
  assert.ok(read("options:line"));
  for (const stop of stops) stop();
});

test("a rehearsal changes nothing, asks for nothing and keeps nothing", async () => {
  const options = model();
  options.choose(0, "hard");
  paint();
  await rest();
  const before = [chosen(options), options.rows.map((row) => row.value), [...server.asked], read("options:line")];
  options.rehearse();
  paint();
  await rest();
  assert.deepEqual([chosen(options), options.rows.map((row) => row.value), server.asked, read("options:line")], before);
});

test("a choice in a page that is left at once is kept", () => {
  const options = model();
  options.choose(0, "hard");
  page.dispatchEvent(new Event("visibilitychange"));
  assert.deepEqual((read("options:line") as { cnums: string[] }).cnums, ["hard", "bright"]);
});

test("a price is asked for after a rest, once, and the newest answer wins", async () => {
  const options = model();
  options.writeQuantity("3");
  options.writeQuantity("30");
  assert.equal(options.price.stale.value, true);
  assert.equal(options.price.total.value, 8001);
  server.holds = true;
  await rest();
  options.choose(0, "hard");
  server.holds = false;
  await rest();
  server.release();
  await rest();
  assert.deepEqual(server.asked, ["total wire|none 30", "total hard|bright 30"]);
  assert.equal(options.price.stale.value, false);
  assert.equal(options.price.total.value, 30_000);
});

test("going back to a known price asks for nothing", async () => {
  const options = model();
  options.writeQuantity("3");
  options.writeQuantity("2");
  await rest();
  assert.deepEqual(server.asked, []);
  assert.equal(options.price.stale.value, false);
});

test("what is no quantity has no price and is not saved", async () => {
  const options = model();
  options.writeQuantity("0");
  await rest();
  assert.equal(options.isQuantityBad.value, true);
  assert.equal(options.price.total.value, undefined);
  assert.equal(await options.save(), "failed");
  assert.deepEqual(server.asked, []);
});

test("a step without anything to choose blocks saving", async () => {
  const options = model({ buzhou: [step("1", [item("glue", "页数不合")], "")] });
  assert.equal(options.isStuck.value, true);
  assert.equal(options.price.total.value, undefined);
  assert.equal(await options.save(), "failed");
  assert.deepEqual(server.asked, []);
});

test("a failed price says so until it is asked for again", async () => {
  const options = model();
  server.fails = new HttpError(500, "请求失败", { status: 500 });
  options.writeQuantity("3");
  await rest();
  assert.equal(options.price.failure.value?.code, 500);
  assert.equal(options.price.stale.value, true);
  server.fails = undefined;
  options.price.retry();
  await rest();
  assert.equal(options.price.failure.value, undefined);
  assert.equal(options.price.total.value, 3000);
});

test("an explanation is asked for while somebody looks, and always sums to the shown total", async () => {
  const options = model();
  options.price.explain(true);
  await rest();
  assert.equal(explained(options), "wire|none");
  assert.equal(options.price.total.value, 2002);
  options.choose(0, "hard");
  assert.equal(explained(options), "wire|none");
  assert.equal(options.price.total.value, 2002);
  await rest();
  assert.equal(explained(options), "hard|bright");
  options.price.explain(false);
  options.writeQuantity("5");
  await rest();
  assert.equal(options.price.lines.value, undefined);
  assert.deepEqual(server.asked, ["lines wire|none 2", "lines hard|bright 2", "total hard|bright 5"]);
});

test("what was typed in the plain form is taken over", () => {
  const options = model({}, { cnums: new Map([["1", "hard"]]), quantity: "7", remark: "急" });
  assert.deepEqual(chosen(options), ["hard", "bright"]);
  assert.deepEqual([options.quantity.value, options.remark.value], ["7", "急"]);
});

test("what a craft is drawn from is one more row, without a price", async () => {
  const drawn = step("artwork", [item("title"), item("frame")], "title");
  const artwork = { step: drawn, exclusions: [["none", "frame"]] as [string, string][], exclusionReasons: ["没有工艺"], hint: "" };
  const options = model({ artwork, photoPath: "/page", frontPath: "/front?r=1", frontCnums: ["bright"] });
  assert.deepEqual(options.rows[2]?.value.obstacles, [undefined, "没有工艺"]);
  assert.equal(options.picture.value, "/page");
  options.choose(1, "bright");
  options.choose(2, "frame");
  await rest();
  assert.equal(options.picture.value, "/front?r=1&cnums=wire%7Cbright&artwork=frame");
  // a set of choices leaves it as it is
  options.chooseAll(["hard", "bright"]);
  await rest();
  assert.deepEqual(chosen(options), ["hard", "bright", "frame"]);
  assert.equal(await options.save(), "saved");
  options.choose(0, "wire");
  options.choose(1, "none");
  assert.deepEqual(chosen(options), ["wire", "none", "title"]);
  assert.equal(options.news.value, "已将步artwork改为名title");
  assert.deepEqual(server.asked, ["total wire|bright 2", "total hard|bright 2", "update line hard|bright 2  frame"]);
});

test("saving sends the choice once and drops the draft", async () => {
  const options = model();
  options.choose(0, "hard");
  options.writeRemark("急");
  assert.ok(read("options:line"));
  assert.deepEqual(await Promise.all([options.save(), options.save()]), ["saved", "failed"]);
  assert.deepEqual(server.asked, ["update line hard|bright 2 急"]);
  assert.equal(read("options:line"), undefined);
});

test("what is changed while it is saved stays open and unsaved", async () => {
  const options = model();
  options.choose(0, "hard");
  server.holds = true;
  const saved = options.save();
  options.writeRemark("后来");
  server.release();
  assert.equal(await saved, "changed");
  assert.equal(options.problem.value, undefined);
  assert.equal(options.isBehind.value, true);
  assert.equal((read("options:line") as { remark: string }).remark, "后来");
  server.holds = false;
  assert.equal(await options.save(), "saved");
  assert.equal(options.isBehind.value, false);
});

test("a dialog that is closed while it saves leaves no draft of what is saved", async () => {
  const options = model();
  options.choose(0, "hard");
  server.holds = true;
  const saved = options.save();
  options.stop();
  server.release();
  assert.equal(await saved, "saved");
  assert.equal(read("options:line"), undefined);
});

test("saving gives up after half a minute", async () => {
  const options = model();
  server.holds = true;
  const saved = options.save();
  mock.timers.tick(30_000);
  assert.equal(await saved, "failed");
  assert.equal(options.problem.value?.text, "更新购物车失败，请稍后再试");
  assert.equal(options.isSaving.value, false);
});

test("a line that is gone says so", async () => {
  const options = model();
  server.fails = new HttpError(404, "没有这一页", { status: 404 });
  assert.equal(await options.save(), "gone");
  assert.equal(options.problem.value, undefined);
});

test("a refused save keeps everything and gives the reason", async () => {
  const options = model();
  options.choose(0, "hard");
  server.fails = new HttpError(400, "精装已停用", { status: 400 });
  assert.equal(await options.save(), "failed");
  const refused = options.problem.value;
  assert.deepEqual([refused?.text, refused?.reason], ["更新购物车失败，请稍后再试", "精装已停用"]);
  assert.deepEqual(chosen(options), ["hard", "bright"]);
  server.fails = new HttpError(401, "请登录", { status: 401 });
  await options.save();
  assert.equal(options.problem.value?.signedOut, true);
});

test("a draft comes back, and can be dropped", () => {
  const first = model();
  first.choose(0, "hard");
  first.writeQuantity("9");
  first.stop();
  const second = model();
  assert.equal(second.isRestored.value, true);
  assert.deepEqual([...chosen(second), second.quantity.value], ["hard", "bright", "9"]);
  second.restore();
  assert.deepEqual([...chosen(second), second.quantity.value], ["wire", "none", "2"]);
  assert.equal(second.isRestored.value, false);
  assert.equal(read("options:line"), undefined);
});

test("of a line that was changed since, a draft brings back what the change left alone", () => {
  const first = model();
  first.choose(0, "hard");
  first.stop();
  const second = model({ count: 5 });
  assert.equal(second.isRestored.value, true);
  assert.deepEqual([...chosen(second), second.quantity.value], ["hard", "bright", "5"]);
  second.stop();
  const third = model({ count: 5, buzhou: [step("1", [item("wire"), item("hard")], "wire"), step("2", [item("none"), item("bright")], "bright")] });
  assert.equal(third.isRestored.value, false);
  assert.deepEqual([...chosen(third), third.quantity.value], ["wire", "bright", "5"]);
  assert.equal(read("options:line"), undefined);
});

test("a bundle chooses in every step at once, and the rules still rule", () => {
  const options = new PrintOptions(info(), "line", {}, new Server());
  options.chooseAll(["hard", "none"]);
  assert.deepEqual(chosen(options), ["hard", "bright"], "the hard one needs the film");
  assert.equal(options.isChosen(["hard", "bright"]), true);
  options.chooseAll(["wire", "none"]);
  assert.deepEqual(chosen(options), ["wire", "none"]);
  options.stop();
});
