// axe-core runs inside the page, so this needs JavaScript.
import type { Page } from "@playwright/test";
import { AddressesPage } from "../../pages/AddressesPage.js";
import { faults } from "../../support/axe.js";
import { threeInCart } from "../../support/making.js";
import { expect, test } from "../../support/test.js";
import { EMPTY, OUTSIDE, type Stop, inside } from "../../support/tour.js";

/** One page's fault hides no other's. */
const softly = expect.configure({ soft: true });

async function tour(page: Page, stops: Stop[]): Promise<void> {
  for (const { path } of stops) {
    await page.goto(path);
    await softly.poll(() => faults(page), path).toEqual([]);
  }
}

test.use({ balance: "1000" });

test("pages outside have no fault that axe knows", async ({ page }) => {
  await tour(page, OUTSIDE);
});

test("a new member's pages have no fault that axe knows", async ({ page, signedIn: _ }) => {
  await tour(page, EMPTY);
});

test("a member's pages have no fault that axe knows, in any light, on any screen", async ({ page, signedIn: _ }) => {
  test.slow();
  await threeInCart(page, "无障碍");
  for (const { path } of await inside(page)) {
    await page.goto(path);
    for (const size of [{ width: 1280, height: 800 }, { width: 360, height: 740 }]) {
      await page.setViewportSize(size);
      // colours that are still on their way to the next light are nobody's
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
      await softly.poll(() => faults(page), `${path} ${size.width}`).toEqual([]);
      // nothing but colours is another in the dark
      await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
      await softly.poll(() => faults(page, { rules: ["color-contrast"] }), `${path} dark ${size.width}`).toEqual([]);
    }
  }
});

test("the pages of addresses have no fault that axe knows", async ({ page, signedIn: _ }) => {
  await page.goto("/manager/userInfo/addresses/new");
  const addresses = new AddressesPage(page);
  await addresses.save.click();
  await expect(addresses.complaint).toBeVisible();
  await softly.poll(() => faults(page), "refused").toEqual([]);
  await addresses.fillAddress();
  await addresses.save.click();
  await addresses.card("林知夏").locator("summary").click();
  await softly.poll(() => faults(page), "asked").toEqual([]);
  await addresses.card("林知夏").getByRole("link", { name: "修改" }).click();
  await expect(addresses.save).toBeVisible();
  await softly.poll(() => faults(page), "changed").toEqual([]);
});

test("refused forms have no fault that axe knows", async ({ page, member }) => {
  await page.goto("/manager/login");
  await page.getByLabel("账号").fill(member.account);
  await page.getByLabel("密码").fill("not the password");
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expect.poll(() => faults(page)).toEqual([]);
});
