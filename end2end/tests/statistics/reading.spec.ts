// Somebody reads a shared work, with and without a script, and its maker sees that in the statistics.
import type { Page } from "@playwright/test";
import { SignInPage } from "../../pages/SignInPage.js";
import { expect, test } from "../../support/test.js";

const COMPUTER = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36";

/** Today's number under a name. */
async function today(page: Page, of: string, name: string): Promise<number> {
  await page.goto(`/manager/statisticMag?of=${of}&span=1`);
  const text = await page.locator(".key > div").filter({ hasText: name }).locator("strong").first().innerText();
  return Number(text.replaceAll(",", ""));
}

test("who reads is counted, and the maker sees how far", { tag: "@no-js" }, async ({ page, browser, javaScriptEnabled }) => {
  const door = new SignInPage(page);
  await page.goto("/manager/statisticMag");
  await door.signIn("demo@example.com", "bindery-demo");
  await expect(page.getByRole("heading", { level: 1, name: "统计" })).toBeVisible();
  await expect(page.getByText("每日读者", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: /山海之间/ }).first().click();
  await expect(page.getByRole("heading", { name: "读到哪一页" })).toBeVisible();
  const of = new URL(page.url()).searchParams.get("of") ?? "";
  const before = { opens: await today(page, of, "打开"), reads: await today(page, of, "阅读") };

  const context = await browser.newContext({ userAgent: COMPUTER, javaScriptEnabled: javaScriptEnabled ?? true, baseURL: new URL(page.url()).origin });
  // as in a browser that nobody drives
  await context.addInitScript(() => { Object.defineProperty(Navigator.prototype, "webdriver", { get: () => false }); });
  const reader = await context.newPage();
  // who stays for a second reads, and the page tells that; without a script nobody knows
  const told = async (pages: string) => {
    const telling = new RegExp(`\\[${pages},\\d{4,}\\]`);
    if (javaScriptEnabled !== false) await reader.waitForRequest((request) => request.url().endsWith("/count") && telling.test(request.postData() ?? ""));
  };
  const first = told("1");
  await reader.goto(`/read/${of.replace("work:", "")}/1`);
  await expect(reader.locator(".leaf .page img").first()).toBeVisible();
  await first;
  const second = told("[23]");
  await reader.getByRole("link", { name: "下一页" }).filter({ visible: true }).click();
  await expect(reader).toHaveURL(/\/[23]$/);
  await second;
  await context.close();

  await expect.poll(() => today(page, of, "打开")).toBe(before.opens + 1);
  const reads = () => today(page, of, "阅读");
  if (javaScriptEnabled === false) expect(await reads(), "nobody knows how long").toBe(before.reads);
  // the last page tells of itself while it goes
  else await expect.poll(reads).toBeGreaterThanOrEqual(before.reads + 2);
});
