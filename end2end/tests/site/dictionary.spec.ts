// What pages have in common is fetched once; a browser that has it is sent the rest.
import { expect, test } from "../../support/test.js";

test("a member's next pages are sent without what they have in common", async ({ page, signedIn }) => {
  await page.goto("/manager/order");
  const fetched = page.waitForResponse(/\/assets\/members-\w+\.dictionary$/);
  // the first page that this browser sees after it was here
  await page.goto("/manager/order");
  expect((await fetched).status()).toBe(200);
  // when it has put it by, it does not say
  await expect(async () => {
    const answer = await page.goto("/manager/userInfo");
    expect(answer?.headers()["content-encoding"]).toBe("dcz");
  }).toPass();
  await expect(page.getByRole("main")).toContainText(signedIn.account);
  for (const path of ["/manager/opus_list/all", "/manager/photos", "/manager/shopping/cart"]) {
    const answer = await page.goto(path);
    expect(answer?.headers()["content-encoding"], path).toBe("dcz");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator(".topbar")).toContainText(signedIn.account);
  }
});
