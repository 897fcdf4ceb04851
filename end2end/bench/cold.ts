// Cold loads of one page, each in a browser of its own with an empty profile; JSON into a file. Behind a link it is run
// by `link.ts`, in a network namespace where 127.0.0.1 is far away.
// `tsx cold.ts` with BENCH_LOAD: what is asked, as JSON.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, type Page, chromium } from "@playwright/test";
import { browser } from "../support/browser.js";
import { HELPER } from "./figures.js";

/** What is asked. */
export interface Asked {
  url: string;
  runs: number;
  /** Where the figures go. */
  out: string;
  /** What is seen when this picture has come, where nothing else says so. */
  picture?: string;
  /** When the page is in use, where that is asked. */
  use?: Use;
  /** Of whoever is signed in, as a browser keeps them. */
  cookies?: Parameters<BrowserContext["addCookies"]>[0];
}

/** A page is in use when its picture stands and what is tapped answers; each by its selector. */
export interface Use {
  picture: string;
  target: string;
  answer: string;
}

/** One load; times in ms from its beginning. */
export interface Load {
  /** The first and the largest paint; what the largest one was. */
  first: number;
  largest: number;
  element: string;
  /** When the page is seen: the largest paint, or the picture that was named. */
  seen: number;
  /** When it is in use, where that was asked. */
  used?: number;
  /** Bytes on the wire until it is seen or in use, and until nothing comes any more. */
  until: number;
  bytes: number;
  requests: number;
}

const SCREEN = { width: 360, height: 740 };
/** Nothing has come for so long: the page is quiet, ms. */
const QUIET = 4000;
/** Between two looks whether it is in use, ms. */
const LOOK = 25;
/** Between two taps, ms. */
const AGAIN = 600;
/** What any page may take on the slowest link, ms. */
const PATIENCE = 240_000;

/** Taps until something answers; the moment in ms from the page's beginning. */
async function used(page: Page, use: Use): Promise<number> {
  let tapped = 0;
  for (const end = Date.now() + PATIENCE; Date.now() < end; await page.waitForTimeout(LOOK)) {
    const now = await page.evaluate(({ picture, target, answer }) => {
      const image = document.querySelector<HTMLImageElement>(picture);
      const box = document.querySelector(target)?.getBoundingClientRect();
      const stands = image !== null && image.complete && image.naturalWidth > 0 && getComputedStyle(image).visibility === "visible";
      return { at: performance.now(), isUsed: stands && document.querySelector(answer) !== null, middle: stands && box && { x: box.x + box.width / 2, y: box.y + box.height / 2 } };
    }, use).catch(() => undefined);
    if (now?.isUsed) return now.at;
    // two taps would be a double one
    if (!now?.middle || Date.now() - tapped < AGAIN) continue;
    await page.touchscreen.tap(now.middle.x, now.middle.y);
    tapped = Date.now();
  }
  throw new Error("nothing answered");
}

async function load({ url, picture, use, cookies }: Asked): Promise<Load> {
  const profile = await mkdtemp(join(tmpdir(), "cold-"));
  // the address stays what it is; only its wire is another
  const far = process.env.SLOW_ADDR?.split(":")[0];
  const context = await chromium.launchPersistentContext(profile, {
    ...browser.launchOptions,
    args: [...(browser.launchOptions.args ?? []), ...(far ? [`--host-resolver-rules=MAP 127.0.0.1 ${far}`] : [])],
    viewport: SCREEN,
    isMobile: true,
    hasTouch: true,
    deviceScaleFactor: 1,
    locale: "zh-CN",
  });
  try {
    await context.addInitScript(HELPER);
    if (cookies) await context.addCookies(cookies);
    const page = context.pages()[0] ?? (await context.newPage());
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    const came: { when: number; bytes: number }[] = [];
    const open = new Map<string, number>();
    let [since, last, requests] = [0, Date.now(), 0];
    session.on("Network.requestWillBeSent", ({ requestId, request, wallTime, timestamp }) => {
      if (request.url.startsWith("data:")) return;
      // the browser's clock of answers, in ms since 1970
      since ||= (wallTime - timestamp) * 1000;
      if (!open.has(requestId)) requests += 1;
      open.set(requestId, 0);
      last = Date.now();
    });
    const note = (id: string, timestamp: number, bytes: number) => {
      came.push({ when: since + timestamp * 1000, bytes });
      open.set(id, (open.get(id) ?? 0) + bytes);
      last = Date.now();
    };
    session.on("Network.dataReceived", ({ requestId, timestamp, encodedDataLength }) => note(requestId, timestamp, encodedDataLength));
    session.on("Network.loadingFinished", ({ requestId, timestamp, encodedDataLength }) => {
      // what was not told in pieces: headers, mostly
      note(requestId, timestamp, encodedDataLength - (open.get(requestId) ?? 0));
      open.delete(requestId);
    });
    session.on("Network.loadingFailed", ({ requestId }) => void open.delete(requestId));
    await page.goto(url, { waitUntil: use ? "commit" : "load", timeout: PATIENCE });
    const inUse = use && (await used(page, use));
    for (const end = Date.now() + PATIENCE; Date.now() < end && (open.size > 0 || Date.now() - last < QUIET); ) await page.waitForTimeout(100);
    const painted = await page.evaluate((picture) => {
      const entries = (type: string) => {
        const watcher = new PerformanceObserver(() => undefined);
        watcher.observe({ type, buffered: true });
        return watcher.takeRecords();
      };
      const largest = entries("largest-contentful-paint").at(-1) as (PerformanceEntry & { element?: Element }) | undefined;
      const resources = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
      const named = picture ? resources.find(({ name }) => name.endsWith(picture))?.responseEnd : undefined;
      return {
        origin: performance.timeOrigin,
        first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
        largest: largest?.startTime ?? NaN,
        element: largest?.element?.tagName.toLowerCase() ?? "",
        seen: named ?? largest?.startTime ?? NaN,
      };
    }, picture);
    const { origin, ...times } = painted;
    const sum = (part: typeof came) => part.reduce((sum, { bytes }) => sum + bytes, 0);
    const until = inUse ?? times.seen;
    return { ...times, ...(inUse !== undefined && { used: inUse }), until: sum(came.filter(({ when }) => when <= origin + until)), bytes: sum(came), requests };
  } finally {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  }
}

const asked = JSON.parse(process.env.BENCH_LOAD ?? "") as Asked;
const loads: Load[] = [];
for (let run = 0; run < asked.runs; run += 1) loads.push(await load(asked));
await writeFile(asked.out, JSON.stringify(loads));
