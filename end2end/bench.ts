// How long the dialog's options take from the click to the paint, with a processor four times slower; JSON on stdout.
import { chromium } from "@playwright/test";
import { CartPage } from "./pages/CartPage.js";
import { OptionsDialog } from "./pages/OptionsDialog.js";
import { SignInPage } from "./pages/SignInPage.js";
import { browser } from "./support/browser.js";
import { DEMO, start } from "./support/server.js";

const SLOWER = 4;
const CLICKS = 60;
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

/** An input event and the frame after it, in ms since 1970. */
interface Click {
  began: number;
  painted: number;
}

const server = await start();
const chrome = await chromium.launch(browser.launchOptions);
try {
  const page = await chrome.newPage({ baseURL: server.base, viewport: { width: 360, height: 740 } });
  const door = new SignInPage(page);
  await door.open();
  await door.signIn(DEMO.account, DEMO.password);
  await page.waitForURL("**/manager/make_ebook");
  await new CartPage(page).open();
  const dialog = new OptionsDialog(page);
  await dialog.open("山海之间");
  await page.evaluate(() => {
    const clicks: Click[] = [];
    Object.assign(globalThis, { clicks });
    addEventListener(
      "click",
      ({ timeStamp, target }) => {
        if (!(target instanceof HTMLInputElement)) return;
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
  for (let click = 0; click < CLICKS; click += 1) {
    const [step, name] = CHOICES[click % CHOICES.length] ?? ["", ""];
    await dialog.item(step, name).check();
    // the price has come, too: each click begins with an idle page
    await page.waitForTimeout(400);
  }
  const clicks = await page.evaluate(() => (globalThis as unknown as { clicks: Click[] }).clicks);
  const painted = clicks.map((click) => click.painted - click.began).sort((one, other) => one - other);
  const at = (share: number) => Math.round((painted[Math.min(painted.length - 1, Math.floor(painted.length * share))] ?? NaN) * 10) / 10;
  const early = requests.filter((time) => clicks.some(({ began, painted }) => began <= time && time <= painted)).length;
  console.log(JSON.stringify({ slower: SLOWER, clicks: clicks.length, median: at(0.5), p95: at(0.95), most: at(1), requests: early }));
} finally {
  await chrome.close();
  await server.stop();
}
