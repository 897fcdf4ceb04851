// How soon the editor is in use on a telephone that has never seen the site, over 3G: the open page's picture stands, and
// a tap selects a frame. JSON on stdout. `npm run bench:opening -- folder` takes the book's photos from a folder.
import { chromium } from "@playwright/test";
import { browser } from "../support/browser.js";
import { start } from "../support/server.js";
import { type Part, book, files, signIn, upload } from "./books.js";
import { settled } from "./figures.js";
import { type Link, cold } from "./link.js";

const PAGES = 40;
const RUNS = Number(process.env.BENCH_RUNS ?? 3);
const LINK: Link = "3g";
/** What anything may take on a busy machine, ms. */
const PATIENCE = 120_000;
const USE = { picture: ".paper .picture", target: ".stage [data-element][aria-label^=照片]", answer: "[data-element][aria-pressed=true]" };

/** Two photos and their words. */
function leaf(number: number, photos: string[]): Part[] {
  const shown = [20, 110].map((y, place): Part => {
    const photo = photos[(number * 2 + place) % photos.length] ?? "";
    return { kind: "photo", photo, frame: { x: 30, y, width: 104, height: 78 }, crop: { x: 0, y: 0, width: 1, height: 1 } };
  });
  return [...shown, { kind: "text", role: "caption", text: `第 ${number} 页：海边的一天`, frame: { x: 30, y: 192, width: 104, height: 10 } }];
}

const server = await start();
const chrome = await chromium.launch(browser.launchOptions);
try {
  const maker = await chrome.newPage({ baseURL: server.base });
  maker.setDefaultTimeout(PATIENCE);
  await signIn(maker, server);
  const ids = await upload(maker, await files(process.argv[2]));
  const work = await book(maker, "海边的四十页", PAGES, (number) => leaf(number, ids));
  // whoever opens it finds its pages drawn
  await maker.goto(`/manager/opus_list_edit?id=${work}&page=2`);
  await settled(server);
  const cookies = (await maker.context().cookies()).filter(({ name }) => !name.endsWith("styles"));
  await maker.close();
  const opened = await cold(LINK, `${server.base}/manager/opus_list_edit?id=${work}&page=2`, RUNS, { use: USE, cookies });
  console.log(JSON.stringify({ pages: PAGES, runs: RUNS, opened }));
} finally {
  await chrome.close();
  await server.stop();
}
