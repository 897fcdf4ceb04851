// What hands do to a page comes with the first of them: what is done before its script is there is done when it is, and where it
// never comes a link leads on.
import { IssuePage, newestPaper } from "../../pages/IssuePage.js";
import { expect, test } from "../../support/test.js";

/** What scripts ask for once they run. */
const LATER = "**/assets/chunk-*.js";

test("a key that was pressed before its script has come turns the page when it has", async ({ page }) => {
  const issue = await newestPaper(page);
  const documents: string[] = [];
  page.on("request", (request) => { if (request.resourceType() === "document") documents.push(request.url()); });
  let letGo = (): void => undefined;
  const held = new Promise<void>((go) => { letGo = go; });
  await page.goto(`${issue}/1`, { waitUntil: "domcontentloaded" });
  await page.route(LATER, async (route) => {
    await held;
    await route.continue();
  });
  documents.length = 0;
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/\/1$/);
  letGo();
  await expect(page).toHaveURL(/\/2$/);
  await expect(new IssuePage(page).heading).toContainText("02版");
  expect(documents).toEqual([]);
});

test.describe("where its script never comes", () => {
  test.use({ breaksRequests: true });

  test("links lead on", async ({ page }) => {
    const issue = await newestPaper(page);
    await page.goto(`${issue}/1`, { waitUntil: "domcontentloaded" });
    await page.route(LATER, (route) => route.abort());
    await page.locator(".turns a[rel=next]:visible").first().click();
    await expect(page).toHaveURL(/\/2$/);
    await expect(new IssuePage(page).heading).toContainText("02版");
  });
});
