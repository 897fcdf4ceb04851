import { existsSync } from "node:fs";
import type { LaunchOptions } from "@playwright/test";

const PLACES = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

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
