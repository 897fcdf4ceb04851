// Full-page pictures of every page for people to look at: `npm run shots -- folder` (by default shots in the
// system's temporary folder).
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "@playwright/test";
import { SignInPage } from "./pages/SignInPage.js";
import { browser as settings } from "./support/browser.js";
import { addMember } from "./support/members.js";
import { DEMO, start } from "./support/server.js";
import { startWays } from "./support/ways.js";
import { EMPTY, OUTSIDE, type Stop, inside } from "./support/tour.js";

const folder = resolve(process.argv[2] ?? join(tmpdir(), "shots"));
await mkdir(folder, { recursive: true });

const ways = await startWays();
const server = await start();
process.env.END2END_BASE = server.base;
const browser = await chromium.launch(settings.launchOptions);
try {
  const context = await browser.newContext({ baseURL: server.base, locale: "zh-CN", timezoneId: "Asia/Shanghai" });
  const page = await context.newPage();

  const shoot = async ({ name, path }: Stop) => {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: width === 360 ? 740 : 800 });
      await page.goto(path);
      // pictures further down are fetched when they come near the window
      for (const picture of await page.getByRole("main").locator("img").all()) {
        await picture.evaluate(async (img: HTMLImageElement) => {
          img.loading = "eager";
          await img.decode().catch(() => undefined);
        });
      }
      // a window as tall as the page, so that what sticks to the window's edge stands at the page's edge
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width, height: Math.max(height, width === 360 ? 740 : 800) });
      await page.locator("#nprogress").waitFor({ state: "detached" });
      await page.screenshot({ path: join(folder, `${name}-${width}.png`), fullPage: true });
      console.log(join(folder, `${name}-${width}.png`));
    }
  };
  const signIn = async (account: string, password: string) => {
    await context.clearCookies();
    const door = new SignInPage(page);
    await door.open();
    await door.signIn(account, password);
    await page.waitForURL("/manager/make_ebook");
  };

  for (const stop of OUTSIDE) await shoot(stop);
  const newcomer = await addMember(server.data);
  await signIn(newcomer.account, newcomer.password);
  for (const stop of EMPTY) await shoot(stop);
  await signIn(DEMO.account, DEMO.password);
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const stop of await inside(page)) await shoot(stop);
} finally {
  await browser.close();
  await server.stop();
  ways.stop();
}
