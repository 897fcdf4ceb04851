import { defineConfig } from "@playwright/test";
import { browser } from "./support/browser.js";
import { phone } from "./support/old_phone.js";
import type { Options } from "./support/test.js";

// Every journey runs in a usual browser; one for each kind of page, those tagged @no-js, with JavaScript switched off, too. What
// other pages' forms do without scripts is tested over HTTP (docs/testing.md). What needs JavaScript is in *.island.spec.ts.
export default defineConfig<Options>({
  testDir: "tests",
  globalSetup: "./support/global.ts",
  // a press and a browser share the machine: two at once are enough
  workers: Number(process.env.WORKERS ?? 2),
  fullyParallel: true,
  forbidOnly: !!process.env.CI,
  retries: process.env.CI ? 1 : 0,
  // what is waited for is there in seconds; a machine that is busy with something else takes several times as long
  timeout: 180_000,
  expect: { timeout: 40_000 },
  reporter: [["list"], ["./support/flaky.ts"]],
  use: {
    ...browser,
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    viewport: { width: 1280, height: 800 },
    // writing down every step takes a third of the time: only of what failed once, or when asked for
    trace: process.env.TRACE ? "retain-on-failure" : "on-first-retry",
    navigationTimeout: 60_000,
    actionTimeout: 40_000,
  },
  projects: [
    // the longest first, so that no browser is left with one of them at the end
    { name: "without JavaScript", use: { javaScriptEnabled: false }, grep: /@no-js/ },
    // a member's way and a reader's, and every page, as weixin and iOS 15 show them
    { name: "old phone", use: { ...phone, isOld: true }, grep: /@old-phone/ },
    { name: "with JavaScript", use: { javaScriptEnabled: true } },
  ],
});
