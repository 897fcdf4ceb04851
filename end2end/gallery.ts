// The books of the README's gallery: made in the program as a member makes them, and shown as they lie on a table.
// `npm run gallery -- photos folder`: a folder of photos by the names below, and where the pictures go.
import { mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Page, chromium, expect } from "@playwright/test";
import { SignInPage } from "./pages/SignInPage.js";
import { browser as settings } from "./support/browser.js";
import { addMember } from "./support/members.js";
import { startWithoutWays } from "./support/server.js";

interface Book {
  theme: string;
  format: "square-210" | "a4-portrait" | "a5-portrait";
  title: string;
  author: string;
  photos: string[];
  /** The left pages of the spreads that are shown, one of them with a photo across the fold. */
  spreads: number[];
}

/** How long a busy machine may draw, in ms. */
const PATIENCE = 180_000;

const BOOKS: Book[] = [
  {
    theme: "calm", format: "square-210", title: "湖边的一天", author: "沈知远",
    photos: ["Path", "summer_1am", "BytheWater", "DarkestHour", "Storm", "ColdRipple", "Aqua", "EveningGlow", "Kite", "OneStandsOut", "RainDrops", "FallenLeaf", "GreenMeadow", "TwoWings", "Blinds", "LadyBird", "Garden", "YellowFlower", "Dune", "FreshFlower"],
    spreads: [6, 4, 12],
  },
  {
    theme: "classic", format: "a5-portrait", title: "外婆的院子", author: "林小满",
    photos: ["Garden", "FreshFlower", "LadyBird", "TwoWings", "YellowFlower", "RainDrops", "Blinds", "GreenMeadow", "OneStandsOut", "FallenLeaf", "Dune", "Aqua", "Path", "BytheWater"],
    spreads: [8, 6, 10],
  },
  {
    theme: "journal", format: "square-210", title: "秋天进山", author: "周野",
    photos: ["FallenLeaf", "Path", "OneStandsOut", "Dune", "Storm", "ColdRipple", "RainDrops", "GreenMeadow", "EveningGlow", "BytheWater", "LadyBird", "TwoWings", "YellowFlower", "Kite", "Garden", "summer_1am", "Blinds", "FreshFlower", "Aqua", "DarkestHour"],
    spreads: [10, 8, 14],
  },
  {
    theme: "cream", format: "a5-portrait", title: "小小的东西", author: "阿禾",
    photos: ["LadyBird", "TwoWings", "RainDrops", "Aqua", "OneStandsOut", "ColorfulCups", "GreenMeadow", "YellowFlower", "Garden", "FreshFlower", "Blinds", "Kite", "FallenLeaf"],
    spreads: [10, 8, 14],
  },
  {
    theme: "festive", format: "square-210", title: "我们的夏天", author: "一家四口",
    photos: ["Kite", "Garden", "ColorfulCups", "YellowFlower", "BytheWater", "FreshFlower", "Dune", "summer_1am", "EveningGlow", "LadyBird", "TwoWings", "FallenLeaf", "RainDrops", "GreenMeadow", "Blinds", "Aqua", "OneStandsOut", "Path", "Storm", "ColdRipple"],
    spreads: [12, 16, 18],
  },
  {
    theme: "night", format: "square-210", title: "蓝色时刻", author: "沈知远",
    photos: ["Storm", "DarkestHour", "ColdRipple", "Kite", "OneStandsOut", "FallenLeaf", "summer_1am", "Grey", "Aqua", "EveningGlow", "TwoWings", "YellowFlower", "LadyBird", "RainDrops", "Garden", "Dune", "FreshFlower", "Path", "Blinds", "GreenMeadow"],
    spreads: [6, 4, 10],
  },
];

const [from, to] = process.argv.slice(2).map((folder) => resolve(folder));
if (!from || !to) throw new Error("npm run gallery -- photos folder");
await mkdir(to, { recursive: true });

const server = await startWithoutWays();
const browser = await chromium.launch(settings.launchOptions);
try {
  const context = await browser.newContext({
    baseURL: server.base, locale: "zh-CN", timezoneId: "Asia/Shanghai", viewport: { width: 1440, height: 900 },
    // the pictures are laid out in a page of this script's own
    bypassCSP: true,
  });
  const page = await context.newPage();
  // a page is drawn when it is looked at first
  page.setDefaultTimeout(PATIENCE);
  const member = await addMember(server.data);
  const door = new SignInPage(page);
  await door.open();
  await door.signIn(member.account, member.password);
  await page.waitForURL("/manager/make_ebook");

  const ids = new Map<string, string>();
  for (const name of new Set(BOOKS.flatMap((book) => book.photos))) {
    const photo = new FormData();
    photo.append("photos", new File([await readFile(join(from, `${name}.jpg`))], `${name}.jpg`));
    await page.request.post("/manager/photos", { multipart: photo, timeout: PATIENCE });
    const library = await (await page.request.get("/manager/photos")).text();
    const id = [...library.matchAll(/\/manager\/photo\/([^/"]+)\/320/g)].map(([, id]) => id).find((id) => id && ![...ids.values()].includes(id));
    expect(id, name).toBeTruthy();
    ids.set(name, id ?? "");
  }
  for (const book of BOOKS) await show(page, await make(page, book, ids), book);
} finally {
  await browser.close();
  await server.stop();
}

/** Makes a book and answers its address. */
async function make(page: Page, book: Book, ids: Map<string, string>): Promise<string> {
  const form = new FormData();
  for (const name of ["format", "theme", "title", "author"] as const) form.append(name, book[name]);
  // few photos on a page, and the largest across the fold
  form.append("density", "airy");
  for (const name of book.photos) form.append("photo", ids.get(name) ?? "");
  const made = await page.request.post("/manager/make_ebook", { multipart: form, timeout: PATIENCE });
  expect(made.url()).toContain("/manager/opus/");
  return new URL(made.url()).pathname;
}

/** The cover and some spreads, as paper: a fold in the middle, a soft shadow. */
async function show(page: Page, work: string, book: Book): Promise<void> {
  const image = (name: string | number) => `<img src="${server.base}${work}/page/${name}/1280" alt="">`;
  const spread = (left: number) => `<div class="spread">${image(left)}${image(left + 1)}</div>`;
  await page.goto("/about");
  const [first = 2, ...more] = book.spreads;
  await page.setContent(`<style>
    body { margin: 0; padding: 64px; background: #efece4; display: grid; gap: 56px }
    .row { display: flex; gap: 56px; align-items: center; justify-content: center }
    img { display: block; height: ${book.format === "square-210" ? 300 : 380}px }
    .cover, .spread { box-shadow: 0 1px 2px #0003, 0 14px 30px -8px #0004; position: relative }
    .cover { border-radius: 1px 3px 3px 1px; overflow: hidden }
    .cover::after { content: ""; position: absolute; inset: 0 auto 0 0; width: 20px;
      background: linear-gradient(90deg, #0003, #fff2 35%, #0002 60%, transparent) }
    .spread { display: flex }
    .spread::after { content: ""; position: absolute; inset: 0;
      background: linear-gradient(90deg, transparent 44%, #0000000d 48%, #00000026 50%, #0000000a 52%, transparent 56%) }
  </style><div class="row"><div class="cover">${image("cover")}</div>${spread(first)}</div>
  <div class="row">${more.map(spread).join("")}</div>`);
  await page.waitForFunction(() => [...document.images].every((picture) => picture.complete && picture.naturalWidth > 0));
  await page.locator("body").screenshot({ path: join(to ?? "", `${book.theme}.jpg`), type: "jpeg", quality: 82 });
}
