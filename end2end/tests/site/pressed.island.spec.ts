// A link that is pressed is fetched from then on, not when it is let go.
import { withMemory } from "../../support/browser.js";
import { expect, test } from "../../support/test.js";

test.use(withMemory);

test("a page is on its way while its link is pressed", async ({ page, signedIn }) => {
  await page.goto("/manager/opus_list/all");
  const link = page.getByRole("navigation", { name: "栏目" }).getByRole("link", { name: "素材" });
  await link.hover();
  const asked = page.waitForRequest((request) => request.url().endsWith("/manager/photos"));
  await page.mouse.down();
  expect((await (await asked).allHeaders())["sec-purpose"]).toContain("prefetch");
  await page.mouse.up();
  await expect(page).toHaveURL("/manager/photos");
  await expect(page.locator(".topbar")).toContainText(signedIn.account);
  const brought = await page.evaluate(() => {
    const [visit] = performance.getEntriesByType("navigation") as (PerformanceNavigationTiming & { deliveryType?: string })[];
    return visit?.deliveryType;
  });
  expect(brought).toBe("navigational-prefetch");
});
