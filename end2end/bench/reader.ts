// What the first page of a shared book of 100 pages weighs and how soon it is seen, how long a turn takes, and an article of
// a newspaper on a telephone; JSON on stdout. `npm run bench:reader -- folder` takes the book's photos from a folder.
import { get } from "node:http";
import { type Browser, type Page, chromium } from "@playwright/test";
import { browser } from "../support/browser.js";
import { start } from "../support/server.js";
import { type Part, book, files, share, signIn, upload } from "./books.js";
import { HELPER, at, settled } from "./figures.js";
import { type Picture, flipbook } from "./flipbook.js";
import { type Link, cold } from "./link.js";

const PAGES = 100;
const SCREEN = { width: 360, height: 740 };
const RUNS = Number(process.env.BENCH_RUNS ?? 3);
const LINKS: Link[] = ["slow4g", "3g", "2g"];
const TURNS = 60;
const SLOWER = 4;
/** What anything may take on a busy machine, ms. */
const PATIENCE = 120_000;
/** No other page comes for so long: what is fetched ahead is there, ms. */
const REST = 500;

/** One photo and its words, two photos, or four. */
function leaf(number: number, photos: string[]): Part[] {
  const frames = [
    [[15, 20, 180, 135]],
    [[15, 12, 180, 90], [15, 108, 180, 90]],
    [[15, 15, 87, 87], [108, 15, 87, 87], [15, 108, 87, 87], [108, 108, 87, 87]],
  ][(number - 1) % 3] ?? [];
  const shown: Part[] = frames.map(([x = 0, y = 0, width = 0, height = 0], place) => {
    // of a photo of 4 to 3 as much as the frame shows
    const part = Math.min(1, (width / height) * 0.75);
    const tall = Math.min(1, (height / width) * (4 / 3));
    return {
      kind: "photo",
      photo: photos[(number * 4 + place) % photos.length] ?? "",
      frame: { x, y, width, height },
      crop: { x: (1 - part) / 2, y: (1 - tall) / 2, width: part, height: tall },
    };
  });
  const words: Part = { kind: "text", role: "caption", text: `第 ${number} 页：那年夏天我们沿着海边走了很远`, frame: { x: 15, y: 162, width: 180, height: 12 } };
  return frames.length === 1 ? [...shown, words] : shown;
}

/** What a server sends of an address to a browser that takes brotli. */
function sent(url: string): Promise<Picture> {
  return new Promise((resolve, reject) => {
    const headers = { accept: "text/html,image/webp,*/*", "accept-encoding": "br" };
    get(url, { headers, agent: false }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => {
        if (answer.statusCode === 200) resolve({ type: answer.headers["content-type"] ?? "", bytes: Buffer.concat(parts) });
        else reject(new Error(`${url} was answered with ${answer.statusCode}`));
      });
    }).on("error", reject);
  });
}

/** Bytes of a page with its styles. */
async function text(base: string, path: string): Promise<number> {
  const html = await (await fetch(base + path)).text();
  const sheets = [...html.matchAll(/<link [^>]*rel="stylesheet"[^>]*>/g)].map(([tag]) => tag);
  const names = sheets.flatMap((tag) => /href="([^"]+)"/.exec(tag)?.[1] ?? []);
  const sizes = await Promise.all([path, ...names].map(async (name) => (await sent(base + name)).bytes.length));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** A page of its own at the telephone's width, and what it asks for. */
async function open(chrome: Browser, url: string, saves: boolean): Promise<{ page: Page; asked: { url: string; bytes: number }[] }> {
  const page = await chrome.newPage({ viewport: SCREEN, isMobile: true, hasTouch: true });
  page.setDefaultTimeout(PATIENCE);
  await page.addInitScript(HELPER);
  const session = await page.context().newCDPSession(page);
  if (saves) await session.send("Emulation.setDataSaverOverride", { dataSaverEnabled: true });
  await session.send("Network.enable");
  const asked: { url: string; bytes: number }[] = [];
  const names = new Map<string, string>();
  session.on("Network.requestWillBeSent", ({ requestId, request }) => void names.set(requestId, request.url));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => void asked.push({ url: names.get(requestId) ?? "", bytes: encodedDataLength }));
  await page.goto(url);
  await quiet(page, asked);
  if (saves && !(await page.evaluate(() => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData))) throw new Error("the browser does not save data");
  return { page, asked };
}

async function quiet(page: Page, asked: unknown[]): Promise<void> {
  for (let [before, since] = [-1, Date.now()]; Date.now() - since < REST; await page.waitForTimeout(20)) {
    if (asked.length !== before) [before, since] = [asked.length, Date.now()];
  }
}

/** Bytes of other pages that came while the first one was only looked at. */
async function ahead(chrome: Browser, url: string, saves: boolean): Promise<number> {
  const { page, asked } = await open(chrome, `${url}/1`, saves);
  await page.waitForTimeout(3000);
  const own = new RegExp(`^${url}/1$|/1/\\d+$|/assets/|/count$`);
  await page.close();
  return asked.filter((request) => !own.test(request.url)).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** From the press of a key to the frame that shows the next page with its picture, ms. */
async function turns(chrome: Browser, url: string, slower: number): Promise<{ turns: number; median: number; p95: number; most: number }> {
  const { page, asked } = await open(chrome, `${url}/1`, false);
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
  await page.evaluate(() => {
    const turns: number[] = [];
    Object.assign(globalThis, { turns });
    const shown = () => document.querySelector<HTMLElement>(".leaf")?.dataset.page;
    addEventListener("keydown", ({ timeStamp }) => {
      const before = shown();
      const look = () => {
        const picture = document.querySelector<HTMLImageElement>(".leaf .page:not(.beside) img");
        if (shown() === before || !picture?.complete || picture.naturalWidth === 0) {
          requestAnimationFrame(look);
          return;
        }
        // a message sent while a frame is being made arrives when it is painted
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => turns.push(performance.now() - timeStamp);
        port2.postMessage(undefined);
      };
      requestAnimationFrame(look);
    }, true);
  });
  for (let turn = 0; turn < TURNS; turn += 1) {
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((done) => (globalThis as unknown as { turns: number[] }).turns.length > done, turn);
    await quiet(page, asked);
  }
  const times = await page.evaluate(() => (globalThis as unknown as { turns: number[] }).turns);
  const last = await page.evaluate(() => location.pathname);
  if (!last.endsWith(`/${TURNS + 1}`)) throw new Error(`${TURNS} turns led to ${last}`);
  await page.close();
  return { turns: times.length, median: at(times, 0.5), p95: at(times, 0.95), most: at(times, 1) };
}

const log = (what: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${what}\n`);
const server = await start();
const chrome = await chromium.launch(browser.launchOptions);
try {
  const maker = await chrome.newPage({ baseURL: server.base });
  maker.setDefaultTimeout(PATIENCE);
  await signIn(maker, server);
  const ids = await upload(maker, await files(process.argv[2]));
  log("photos are in");
  const work = await book(maker, "海边的一百页", PAGES, (number) => leaf(number, ids));
  const path = await share(maker, work);
  await settled(server);
  await maker.close();

  const html = await (await fetch(`${server.base}${path}/1`)).text();
  const key = /\/picture\/([^/]+)\/1\/360/.exec(html)?.[1];
  if (!key) throw new Error("the first page has no picture");
  const pictures = async (width: number) => {
    const all: Picture[] = [];
    for (let number = 1; number <= PAGES; number += 1) all.push(await sent(`${server.base}${path}/picture/${key}/${number}/${width}`));
    return all;
  };
  const small = await pictures(360);
  const large = await pictures(1080);
  await sent(`${server.base}${path}/picture/${key}/0/360`);
  log("pictures are drawn");

  const sharp = await sent(`${server.base}${path}/picture/${key}/1/720`);
  const seen: Record<string, unknown> = {};
  const beside: Record<string, unknown> = {};
  for (const link of LINKS) {
    seen[link] = await cold(link, `${server.base}${path}/1`, RUNS);
    log(`${link} ${JSON.stringify(seen[link])}`);
  }
  for (const [name, shown] of [["same", small], ["large", large]] as const) {
    const theirs = await flipbook(shown);
    try {
      beside[name] = await cold("slow4g", theirs.url, 1, { picture: "/page/1" });
      log(`flipbook ${name} ${JSON.stringify(beside[name])}`);
    } finally {
      theirs.stop();
    }
  }
  const fetched = { usual: await ahead(chrome, server.base + path, false), saving: await ahead(chrome, server.base + path, true) };
  log(`ahead ${JSON.stringify(fetched)}`);
  const turned = { plain: await turns(chrome, server.base + path, 1), slower: await turns(chrome, server.base + path, SLOWER) };
  log(`turns ${JSON.stringify(turned)}`);

  const issue = await (await fetch(`${server.base}/epaper/longjing`)).text();
  const article = /href="(\/epaper\/longjing\/[^"]+\/a\/1)"/.exec(issue)?.[1];
  if (!article) throw new Error("the newspaper has no article");
  const read = await cold("3g", server.base + article, RUNS);
  log(`article ${JSON.stringify(read)}`);
  const weight = {
    text: await text(server.base, `${path}/1`),
    cover: await text(server.base, path),
    article: await text(server.base, article),
    picture: small[0]?.bytes.length,
    sharp: sharp.bytes.length,
  };
  console.log(JSON.stringify({ pages: PAGES, runs: RUNS, slower: SLOWER, weight, seen, beside, fetched, turned, read }));
} finally {
  await chrome.close();
  await server.stop();
}
