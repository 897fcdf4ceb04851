// The line between browser and server, as a test wants it.
import type { Page } from "@playwright/test";

/** Holds back the requests for an address; what is answered lets them go, those that come later, too. */
export async function hold(page: Page, address: string | RegExp): Promise<() => void> {
  let release = () => undefined as void;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    await released;
    // whoever asked may have given up meanwhile
    await route.continue().catch(() => undefined);
  });
  return release;
}
