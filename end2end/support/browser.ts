import { existsSync } from "node:fs";
import type { LaunchOptions } from "@playwright/test";

const WHOLE = "/usr/bin/chromium";
const PLACES = ["/usr/bin/chromium-headless-shell", WHOLE];

/** Debian's Chromium without its windows, which would take half of the time; nothing is ever downloaded. */
export const browser: { launchOptions: LaunchOptions } = {
  launchOptions: {
    executablePath: process.env.CHROMIUM ?? PLACES.find((place) => existsSync(place)) ?? "chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  },
};

/** The whole of Chromium, with its memory of pages (bfcache): the one without windows has none, and Playwright switches it off. */
export const withMemory: { launchOptions: LaunchOptions } = {
  launchOptions: {
    ...browser.launchOptions,
    executablePath: process.env.CHROMIUM ?? WHOLE,
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  },
};
