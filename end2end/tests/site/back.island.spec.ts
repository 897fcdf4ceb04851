// Going back: at once, to what was shown, and never to what was somebody else's.
import { withMemory } from "../../support/browser.js";
import { expect, signIn, test } from "../../support/test.js";
import { addMember } from "../../support/members.js";

test.use(withMemory);

test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    addEventListener("pageshow", ({ persisted }) => (document.documentElement.dataset.brought = String(persisted)));
  });
});

for (const [from, to] of [
  ["/manager/opus_list/all", "/manager/shopping/cart"],
  ["/manager/shopping/cart", "/manager/order"],
  ["/manager/photos", "/manager/userInfo"],
] as const) {
  test(`${from} is there at once after ${to}`, async ({ page, signedIn }) => {
    await page.goto(from);
    const heading = await page.getByRole("heading", { level: 1 }).textContent();
    await page.goto(to);
    await page.evaluate(() => history.back());
    await expect(page).toHaveURL(from);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading ?? "");
    await expect(page.locator("html")).toHaveAttribute("data-brought", "true");
    expect(signedIn.account).toBeTruthy();
  });
}

test("after signing out, back shows nothing of the member", async ({ page, member }) => {
  await signIn(page, member);
  await page.goto("/manager/order");
  await page.goto("/manager/userInfo");
  await page.locator("details.member > summary").click();
  await page.getByRole("button", { name: "退出登录" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "登录书坊" })).toBeVisible();
  for (let steps = 0; steps < 2; steps++) {
    await page.evaluate(() => history.back());
    await expect(page).toHaveURL(/\/manager\/login/);
    await expect(page.locator("body")).not.toContainText(member.account);
  }
});

test("a page that the browser kept is shown to nobody who came later", async ({ page, member }) => {
  const other = await addMember(process.env.END2END_DATA ?? "", "0");
  await signIn(page, member);
  await page.goto("/manager/order");
  await page.goto("/about");
  // in another tab somebody else signs in
  const tab = await page.context().newPage();
  await signIn(tab, other);
  await tab.goto("/manager/userInfo");
  await page.evaluate(() => history.back());
  await expect(page).toHaveURL("/manager/order");
  await expect(page.locator(".topbar")).toContainText(other.account);
  await expect(page.locator(".topbar")).not.toContainText(member.account);
});
