// A drag in the editor on a telephone with 60 elements on the page, frame by frame, beside a bare box that the same pointer
// drags; and how long after the release the press's own picture is seen. JSON on stdout.
import { type Browser, type CDPSession, type Page, chromium } from "@playwright/test";
import { EditorPage } from "../pages/EditorPage.js";
import { browser } from "../support/browser.js";
import { photo } from "../support/photos.js";
import { start } from "../support/server.js";
import { type Part, book, signIn, upload } from "./books.js";
import { HELPER, at, settled } from "./figures.js";

const SCREEN = { width: 360, height: 740 };
const SLOWER = 4;
const ELEMENTS = 60;
/** Drags of each side, by turns, and the places that the pointer goes through in one. */
const DRAGS = 6;
const STEPS = 90;
/** Between two places, ms: a pointer that tells every frame where it is. */
const PAUSE = 16;
/** Frames of a drag that pass before and after those that count: pages become layers when it begins. */
const MARGIN = 10;
const RELEASES = 40;
const ROUND_TRIP = 50;
/** What anything may take on a busy machine, ms. */
const PATIENCE = 120_000;
const BARE = `<!doctype html><meta name="viewport" content="width=device-width"><title>bare</title><style>
  body { margin: 0; block-size: 740px; touch-action: none } div { position: absolute; inline-size: 60px; block-size: 40px; background: #47c; will-change: transform }</style>
  <div></div><script>
  const box = document.querySelector("div");
  let from;
  box.addEventListener("pointerdown", (event) => { from = { x: event.clientX, y: event.clientY }; box.setPointerCapture(event.pointerId); });
  box.addEventListener("pointermove", (event) => { if (from) box.style.transform = "translate(" + (event.clientX - from.x) + "px, " + (event.clientY - from.y) + "px)"; });
  box.addEventListener("pointerup", () => { from = undefined; box.style.transform = ""; });
  </script>`;

/** What one frame after the other did, in ms. */
interface Frames {
  gaps: number[];
  scripts: number[];
  layouts: number;
  renders: number;
  requests: number;
}

/** An event of the browser's trace; times in µs. */
interface Traced {
  name: string;
  ph: string;
  ts: number;
  dur?: number;
  tid: number;
  pid: number;
  args?: { data?: { type?: string }; beginData?: unknown };
}

/** Ten rows of six: photos, words and shapes by turns. */
function crowd(photos: string[]): Part[] {
  return Array.from({ length: ELEMENTS }, (_, place) => {
    const frame = { x: 6 + (place % 6) * 33, y: 6 + Math.floor(place / 6) * 20, width: 28, height: 16 };
    if (place % 3 === 0) return { kind: "photo", photo: photos[place % photos.length] ?? "", frame, crop: { x: 0, y: 0.12, width: 1, height: 0.76 } };
    if (place % 3 === 1) return { kind: "text", role: "caption", text: `第 ${place} 处`, frame };
    return { kind: "shape", shape: place % 2 ? "rect" : "ellipse", fill: "#4477cc", frame };
  });
}

/** Two photos and their words. */
function few(photos: string[]): Part[] {
  const shown = [20, 110].map((y, place): Part => ({ kind: "photo", photo: photos[place] ?? "", frame: { x: 30, y, width: 104, height: 78 }, crop: { x: 0, y: 0, width: 1, height: 1 } }));
  return [...shown, { kind: "text", role: "caption", text: "海边的一天", frame: { x: 30, y: 192, width: 104, height: 10 } }];
}

/** Notes frames while it is told to, and counts what React puts on the page. */
const WATCH = `
  globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ = { supportsFiber: true, isDisabled: false, inject: () => 1, onCommitFiberUnmount() {}, onPostCommitFiberRoot() {}, checkDCE() {},
    onCommitFiberRoot() { globalThis.renders = (globalThis.renders ?? 0) + 1; } };
  globalThis.frames = [];
  globalThis.watch = (on) => { globalThis.watching = on; if (on) { frames.length = 0; const note = (now) => { if (!globalThis.watching) return; frames.push([now, globalThis.renders ?? 0]); requestAnimationFrame(note); }; requestAnimationFrame(note); } };
`;

type Watched = { watch(on: boolean): void; frames: [number, number][]; renders?: number };

/** A page whose drags are watched. */
interface Side {
  page: Page;
  session: CDPSession;
  requests: number[];
}

async function side(page: Page): Promise<Side> {
  const session = await page.context().newCDPSession(page);
  const requests: number[] = [];
  page.on("request", () => requests.push(Date.now()));
  return { page, session, requests };
}

/** The browser's own notes while something is done. */
async function traced(session: CDPSession, work: () => Promise<void>): Promise<Traced[]> {
  const events: Traced[] = [];
  const collect = ({ value }: { value: unknown[] }) => void events.push(...(value as Traced[]));
  session.on("Tracing.dataCollected", collect);
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["devtools.timeline", "blink.user_timing"], excludedCategories: ["*"] } });
  await work();
  const ended = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await ended;
  session.off("Tracing.dataCollected", collect);
  return events;
}

/** Presses, goes to and fro, and lets go where it began. */
async function drag({ page, session, requests }: Side, from: { x: number; y: number }): Promise<Frames> {
  await page.bringToFront();
  await page.mouse.move(from.x, from.y);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.waitForTimeout(300);
  let [began, ended] = [0, 0];
  const events = await traced(session, async () => {
    await page.mouse.down();
    await page.mouse.move(from.x + 8, from.y + 8);
    // the pages have become layers, and their pictures are there
    await page.waitForTimeout(1500);
    await page.evaluate(() => {
      performance.mark("drag");
      (globalThis as unknown as Watched).watch(true);
    });
    began = Date.now();
    for (let step = 1; step <= STEPS; step += 1) {
      const way = Math.sin((step / STEPS) * Math.PI * 2);
      const next = new Promise((resolve) => setTimeout(resolve, PAUSE));
      await page.mouse.move(from.x + 8 + way * 90, from.y + 8 + Math.abs(way) * 70);
      await next;
    }
    ended = Date.now();
    await page.evaluate(() => {
      (globalThis as unknown as Watched).watch(false);
      performance.mark("dropped");
    });
    await page.mouse.up();
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  const noted = (await page.evaluate(() => (globalThis as unknown as Watched).frames)).slice(MARGIN, -MARGIN);
  const gaps = noted.slice(1).map(([now], place) => now - (noted[place]?.[0] ?? now));
  const renders = (noted.at(-1)?.[1] ?? 0) - (noted[0]?.[1] ?? 0);
  return { gaps, ...spent(events), renders, requests: requests.filter((when) => began <= when && when <= ended).length };
}

/** Of a trace between its two marks: what scripts took of each frame, and how often something was laid out. */
function spent(events: Traced[]): { scripts: number[]; layouts: number } {
  const mark = (name: string) => events.find((event) => event.name === name);
  const [drag, dropped] = [mark("drag"), mark("dropped")];
  if (!drag || !dropped) throw new Error("the trace has no drag");
  const during = events.filter(({ pid, tid, ts }) => pid === drag.pid && tid === drag.tid && ts > drag.ts && ts < dropped.ts);
  const starts = during.filter(({ name }) => name === "FireAnimationFrame").map(({ ts }) => ts).slice(MARGIN, -MARGIN);
  const events_ = during.filter(({ name, ph }) => ph === "X" && ["EventDispatch", "FireAnimationFrame", "TimerFire", "RunMicrotasks", "FunctionCall"].includes(name)).sort((one, other) => one.ts - other.ts);
  // what runs inside something else that is counted is not counted twice
  const outer: Traced[] = [];
  for (const event of events_) {
    const last = outer.at(-1);
    if (!last || event.ts >= last.ts + (last.dur ?? 0)) outer.push(event);
  }
  const scripts = starts.slice(1).map((end, place) => {
    const begin = starts[place] ?? end;
    return outer.filter(({ ts }) => begin <= ts && ts < end).reduce((sum, { dur = 0 }) => sum + dur, 0) / 1000;
  });
  const [first = 0, last = 0] = [starts[0], starts.at(-1)];
  return { scripts, layouts: during.filter(({ name, ts }) => name === "Layout" && ts >= first && ts <= last).length };
}

async function middle(what: ReturnType<Page["locator"]>): Promise<{ x: number; y: number }> {
  await what.scrollIntoViewIfNeeded();
  const box = await what.boundingBox();
  if (!box) throw new Error("nothing to drag");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** From letting go to the frame that shows the press's picture of the page with the new place, ms. */
async function releases(editor: EditorPage): Promise<number[]> {
  const { page } = editor;
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", { offline: false, latency: ROUND_TRIP, downloadThroughput: -1, uploadThroughput: -1 });
  await page.evaluate(() => {
    const [times, released] = [[] as number[], { at: 0 }];
    Object.assign(globalThis, { times });
    addEventListener("pointerup", ({ timeStamp }) => (released.at = timeStamp), true);
    const watcher = new MutationObserver(() => {
      const since = released.at;
      if (since === 0) return;
      released.at = 0;
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => times.push(performance.now() - since);
        port2.postMessage(undefined);
      });
    });
    for (const picture of document.querySelectorAll(".paper .picture")) watcher.observe(picture, { attributes: true, attributeFilter: ["src"] });
  });
  for (let release = 0; release < RELEASES; release += 1) {
    const { x, y } = await middle(editor.photos.first());
    const by = release % 2 ? -24 : 24;
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + by, y + by, { steps: 5 });
    await page.mouse.up();
    await page.waitForFunction((done) => (globalThis as unknown as { times: number[] }).times.length > done, release);
    await page.waitForTimeout(400);
  }
  return page.evaluate(() => (globalThis as unknown as { times: number[] }).times);
}

async function editorOf(page: Page, work: string): Promise<EditorPage> {
  const editor = new EditorPage(page, work);
  await page.goto(`/manager/opus_list_edit?id=${work}&page=2`);
  await editor.photos.first().waitFor();
  await page.waitForLoadState("networkidle");
  if (!(await page.evaluate(() => (globalThis as unknown as Watched).renders))) throw new Error("React does not tell what it puts on the page");
  return editor;
}

async function maker(chrome: Browser, base: string): Promise<Page> {
  const page = await chrome.newPage({ baseURL: base, viewport: SCREEN });
  page.setDefaultTimeout(PATIENCE);
  await page.addInitScript(HELPER);
  await page.addInitScript(WATCH);
  return page;
}

const log = (what: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${what}\n`);
const server = await start();
const chrome = await chromium.launch(browser.launchOptions);
try {
  const page = await maker(chrome, server.base);
  await signIn(page, server);
  const ids = await upload(page, [0, 1, 2, 3].map((place) => photo(`${place}.jpg`, 1600, 1200)));
  const full = await book(page, "六十件东西", 24, (number) => (number === 2 ? crowd(ids) : []));
  const simple = await book(page, "两张照片", 24, (number) => (number === 2 ? few(ids) : []));

  await settled(server);
  const editor = await editorOf(page, full);
  const [ours, plain] = [await side(page), await chrome.newPage({ viewport: SCREEN })];
  await plain.addInitScript(WATCH);
  await plain.goto(`data:text/html,${encodeURIComponent(BARE)}`);
  const bare = await side(plain);
  // in the middle of the others
  const target = editor.paper(2).getByRole("button").nth(27);
  const figures: Record<"ours" | "bare", Frames[]> = { ours: [], bare: [] };
  for (let turn = 0; turn < DRAGS; turn += 1) {
    const turns = [
      async () => {
        figures.ours.push(await drag(ours, await middle(target)));
        // back to where it stood, so that every drag is the same
        await page.keyboard.press("Control+z");
        await page.waitForTimeout(1000);
      },
      async () => figures.bare.push(await drag(bare, await middle(plain.locator("div")))),
    ];
    for (const one of turn % 2 ? turns : turns.reverse()) await one();
    log(`drag ${turn}`);
  }
  const sum = (all: Frames[]) => {
    const [gaps, scripts] = [all.flatMap((one) => one.gaps), all.flatMap((one) => one.scripts)];
    const add = (figure: (one: Frames) => number) => all.reduce((sum, one) => sum + figure(one), 0);
    return {
      frames: gaps.length,
      median: at(gaps, 0.5),
      p95: at(gaps, 0.95),
      script: at(scripts, 0.5),
      script95: at(scripts, 0.95),
      layouts: add((one) => one.layouts),
      renders: add((one) => one.renders),
      requests: add((one) => one.requests),
    };
  };
  const drags = { ours: sum(figures.ours), bare: sum(figures.bare) };
  log(JSON.stringify(drags));
  await plain.close();
  const times = await releases(await editorOf(page, simple));
  const release = { releases: times.length, median: at(times, 0.5), p95: at(times, 0.95), most: at(times, 1) };
  log(JSON.stringify(release));
  console.log(JSON.stringify({ slower: SLOWER, elements: ELEMENTS, trip: ROUND_TRIP, drags, release }));
} finally {
  await chrome.close();
  await server.stop();
}
