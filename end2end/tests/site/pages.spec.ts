// What is asked of every page alike: a title, its styles, one heading, nothing that scrolls sideways on a phone or is cut off, with
// large letters, too, and, where scripts
// may run in it, no fault that axe knows.
import type { Page } from "@playwright/test";
import { faults } from "../../support/axe.js";
import { said, threeInCart } from "../../support/making.js";
import { cutOff, sideways } from "../../support/pictures.js";
import { DEMO } from "../../support/server.js";
import { expect, signIn, test } from "../../support/test.js";
import { EMPTY, OUTSIDE, type Stop, inside } from "../../support/tour.js";

const PHONE = { width: 360, height: 740 };
const COMPUTER = { width: 1280, height: 800 };

/** One page's fault hides no other's. */
const softly = expect.configure({ soft: true });

test.use({ balance: "1000", viewport: PHONE });

/** Looks at pages on a phone, and for faults that axe knows on a computer; at some on both, in any light; at an old phone's on it alone. */
async function tour(page: Page, stops: Stop[], { hasScripts = true, isOld = false, inAnyLight = false } = {}): Promise<void> {
  // colours that are still on their way to another light are nobody's
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const { path } of stops) {
    await page.setViewportSize(PHONE);
    await page.goto(path);
    await softly(page, path).toHaveTitle(/^.+ · 书坊$/);
    await softly(page.getByRole("heading", { level: 1 }), path).toHaveCount(1);
    await softly(page.getByRole("main"), path).toHaveCount(1);
    await softly.poll(() => sideways(page), path).toEqual([]);
    // letters twice as large, as whoever sees little sets them
    await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
    await softly.poll(() => sideways(page), `${path} 200 %`).toEqual([]);
    await softly.poll(() => cutOff(page), `${path} 200 %`).toEqual([]);
    await page.evaluate(() => (document.documentElement.style.fontSize = ""));
    const sizes = isOld ? [PHONE] : inAnyLight ? [PHONE, COMPUTER] : [COMPUTER];
    for (const size of hasScripts ? sizes : []) {
      await page.setViewportSize(size);
      await softly.poll(() => faults(page), `${path} ${size.width}`).toEqual([]);
      if (!inAnyLight || size !== COMPUTER) continue;
      // nothing but colours is another in the dark, and those are the same at any width
      await page.emulateMedia({ colorScheme: "dark" });
      await softly.poll(() => faults(page, { rules: ["color-contrast"] }), `${path} ${size.width} dark`).toEqual([]);
      await page.emulateMedia({ colorScheme: "light" });
    }
  }
}

test("pages outside are whole and fit 360 px", { tag: ["@no-js", "@old-phone"] }, async ({ page, javaScriptEnabled, isOld }) => {
  await tour(page, OUTSIDE, { hasScripts: javaScriptEnabled, isOld });
});

test("a new member's pages are whole and fit 360 px", { tag: "@no-js" }, async ({ page, javaScriptEnabled, signedIn: _ }) => {
  await tour(page, EMPTY, { hasScripts: javaScriptEnabled });
});

test("every page is whole and fits 360 px, with a long title, too", { tag: ["@no-js", "@old-phone"] }, async ({ page, javaScriptEnabled, isOld, signedIn: _ }) => {
  test.slow();
  await threeInCart(page, "Donaudampfschifffahrtsgesellschaftskapitän的很长很长的旅行日记与照片");
  await tour(page, await inside(page), { hasScripts: javaScriptEnabled, isOld, inAnyLight: !isOld });
});

test("the demo member's full shelf, cart and year book fit 360 px", async ({ page }) => {
  await signIn(page, DEMO);
  const book = await said(page, "/manager/yearbook", /href="(\/manager\/yearbook\/[0-9a-z]{20,})"/);
  const person = await said(page, book, /href="(\/manager\/yearbook\/[0-9a-z]+\/person\/[^"]+)"/);
  await tour(page, [
    { name: "yearbook", path: book },
    { name: "yearbook-settings", path: `${book}/settings` },
    { name: "yearbook-book", path: `${book}/book` },
    { name: "yearbook-proof", path: `${book}/proof` },
    { name: "yearbook-some", path: `${book}/some` },
    { name: "yearbook-person", path: person },
    { name: "works", path: "/manager/opus_list/all" },
    { name: "photos", path: "/manager/photos" },
    { name: "cart", path: "/manager/shopping/cart" },
  ]);
});

test("pictures have their place before they arrive", async ({ page, signedIn: _ }) => {
  test.slow();
  await threeInCart(page, "慢的线路");
  const stops = await inside(page);
  // never answered
  await page.route("/manager/**", (route) => (route.request().resourceType() === "image" ? undefined : route.fallback()));
  let pictures = 0;
  for (const { path } of stops) {
    await page.goto(path, { waitUntil: "domcontentloaded" });
    const waiting = page.getByRole("main").locator("img");
    pictures += await waiting.count();
    await expect
      .poll(
        () =>
          waiting.evaluateAll((images) =>
            images
              .filter((image) => image.checkVisibility() && image.getBoundingClientRect().height < 20)
              .map((image) => image.getAttribute("src")),
          ),
        { message: path },
      )
      .toEqual([]);
  }
  expect(pictures).toBeGreaterThan(10);
});

test("tabs and menu lead everywhere on a phone", async ({ page, signedIn: _ }) => {
  const tabs = page.getByRole("navigation", { name: "常用" });
  const places: [string, string][] = [
    ["作品", "/manager/opus_list/all"],
    ["购物车", "/manager/shopping/cart"],
    ["我的", "/manager/userInfo"],
    ["做书", "/manager/make_ebook"],
  ];
  await page.goto("/manager/userInfo");
  for (const [name, path] of places) {
    await tabs.getByRole("link", { name }).click();
    await expect(page).toHaveURL(path);
    await expect(tabs.getByRole("link", { name })).toHaveAttribute("aria-current", "page");
  }
  await page.getByRole("banner").locator("summary", { hasText: "栏目" }).click();
  await page.getByRole("navigation", { name: "栏目" }).getByRole("link", { name: "素材" }).click();
  await expect(page).toHaveURL("/manager/photos");
});
