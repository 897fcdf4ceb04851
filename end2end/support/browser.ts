import type { LaunchOptions } from "@playwright/test";

/** Debian's Chromium without its windows, which would take half of the time; nothing is ever downloaded. */
export const browser: { launchOptions: LaunchOptions } = {
  launchOptions: {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
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
