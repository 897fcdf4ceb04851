// How long the dialog's options take from the click to the paint, with a processor four times slower; JSON on stdout.
// Beside it, by turns, the same click on a page that holds nothing but two radio buttons: what is the browser's own.
import { type Browser, type Page, chromium } from "@playwright/test";
import { CartPage } from "../pages/CartPage.js";
import { OptionsDialog } from "../pages/OptionsDialog.js";
import { SignInPage } from "../pages/SignInPage.js";
import { browser } from "../support/browser.js";
import { DEMO, start } from "../support/server.js";

const SLOWER = 4;
const CLICKS = 60;
const SCREEN = { width: 360, height: 740 };
/** A rest in ms: the price has come, too, so each click begins with an idle page. */
const REST = 400;
const CHOICES: [string, string][] = [
  ["封面材质", "布艺"],
  ["封面材质", "铜版纸"],
  ["装订方式", "普通平装"],
  ["内页纸张", "哑粉纸"],
  ["内页克重", "200克"],
  ["装订方式", "普通精装"],
  ["内页克重", "157克"],
  ["内页纸张", "铜版纸"],
];
const BARE = `<!doctype html><meta name="viewport" content="width=device-width"><title>bare</title>
  <form><label><input type="radio" name="one" checked> 铜版纸</label> <label><input type="radio" name="one"> 哑粉纸</label></form>`;

/** An input event and the frame after it, in ms since 1970. */
interface Click {
  began: number;
  painted: number;
}

/** A page whose clicks are timed. */
interface Side {
  page: Page;
  requests: number[];
}

async function watched(page: Page): Promise<Side> {
  await page.evaluate(() => {
    const clicks: Click[] = [];
    Object.assign(globalThis, { clicks });
    addEventListener(
      "click",
      ({ timeStamp, target, isTrusted }) => {
        // what the dialog rehearses unseen is nobody's choice
        if (!isTrusted || !(target instanceof HTMLInputElement)) return;
        // a message sent while a frame is being made arrives when it is painted
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          const { timeOrigin } = performance;
          port1.onmessage = () => clicks.push({ began: timeOrigin + timeStamp, painted: timeOrigin + performance.now() });
          port2.postMessage(undefined);
        });
      },
      true,
    );
  });
  const requests: number[] = [];
  page.on("requestfinished", (request) => requests.push(request.timing().startTime));
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  return { page, requests };
}

/** Presses where something is. Nothing but the input reaches the page then: a locator's own click looks into it meanwhile. */
async function press(page: Page, target: ReturnType<Page["locator"]>): Promise<void> {
  await page.bringToFront();
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error("nothing to press");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForTimeout(REST);
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForTimeout(REST);
}

async function figures({ page, requests }: Side) {
  const clicks = await page.evaluate(() => (globalThis as unknown as { clicks: Click[] }).clicks);
  const painted = clicks.map((click) => click.painted - click.began).sort((one, other) => one - other);
  const at = (share: number) => Math.round((painted[Math.min(painted.length - 1, Math.floor(painted.length * share))] ?? NaN) * 10) / 10;
  const early = requests.filter((time) => clicks.some(({ began, painted }) => began <= time && time <= painted)).length;
  return { clicks: clicks.length, median: at(0.5), p95: at(0.95), most: at(1), requests: early };
}

async function dialogOf(chrome: Browser, base: string): Promise<[Side, OptionsDialog]> {
  const page = await chrome.newPage({ baseURL: base, viewport: SCREEN });
  const door = new SignInPage(page);
  await door.open();
  await door.signIn(DEMO.account, DEMO.password);
  await page.waitForURL("**/manager/make_ebook");
  await new CartPage(page).open();
  const dialog = new OptionsDialog(page);
  await dialog.open("山海之间");
  return [await watched(page), dialog];
}

const server = await start();
const chrome = await chromium.launch(browser.launchOptions);
try {
  const [side, dialog] = await dialogOf(chrome, server.base);
  const plain = await chrome.newPage({ viewport: SCREEN });
  await plain.setContent(BARE);
  const bare = await watched(plain);
  for (let click = 0; click < CLICKS; click += 1) {
    const [step, name] = CHOICES[click % CHOICES.length] ?? ["", ""];
    const turns = [
      () => press(side.page, dialog.item(step, name)),
      () => press(bare.page, plain.getByRole("radio").nth((click + 1) % 2)),
    ];
    for (const turn of click % 2 ? turns : turns.reverse()) await turn();
  }
  console.log(JSON.stringify({ slower: SLOWER, ours: await figures(side), bare: await figures(bare) }));
} finally {
  await chrome.close();
  await server.stop();
}
