// A reader looks for words in all issues of a newspaper, and opens what was found: as text and on the picture of its page.
import { faults } from "../../support/axe.js";
import { expect, test } from "../../support/test.js";

for (const width of [360, 1280]) {
  test(`words are found in all issues and marked where they stand, ${width} px`, { tag: "@no-js" }, async ({ page, javaScriptEnabled }) => {
    const isClean = async () => {
      if (javaScriptEnabled !== false) expect(await faults(page)).toEqual([]);
      const wide = await page.locator("html").evaluate((html) => html.scrollWidth);
      expect(wide, "nothing is wider than the window").toBeLessThanOrEqual(width);
    };
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/epaper/longjing");
    await page.getByRole("link", { name: "搜索各期" }).click();
    await page.getByLabel("在各期报纸里找").fill("四万册书");
    await page.getByRole("search").getByRole("button", { name: "搜索" }).click();
    const hits = page.locator(".hits > li");
    // the job that takes pages in may still be at work
    await expect(async () => {
      await page.reload();
      await expect(hits.first()).toContainText("老茶厂变成了图书馆", { timeout: 1000 });
    }).toPass();
    await expect(hits.first().locator("mark")).toHaveText("四万册书");
    await isClean();
    const answer = page.url();
    await hits.first().getByRole("link", { name: "老茶厂变成了图书馆" }).click();
    await expect(page.locator(".story mark")).toHaveText("四万册书");
    await page.goto(answer);
    await hits.first().getByRole("link", { name: /的版面，找到的字已标出$/ }).click();
    await expect(page.locator(".marks rect").first()).toBeAttached();

    // what can't be asked is said, and nothing that was typed is lost
    await page.goto(answer);
    await page.getByLabel("从", { exact: true }).fill("明天");
    await page.getByRole("search").getByRole("button", { name: "搜索" }).click();
    await expect(page.getByText("日期写成 2026-11-23 这样").first()).toBeVisible();
    await expect(page.getByLabel("在各期报纸里找")).toHaveValue("四万册书");
    await isClean();
    await page.getByLabel("从", { exact: true }).fill("");
    await page.getByLabel("在各期报纸里找").fill("西湖冬泳");
    await page.getByRole("search").getByRole("button", { name: "搜索" }).click();
    await expect(page.getByText("没有找到“西湖冬泳”")).toBeVisible();
    await expect(page.getByRole("link", { name: "只找“西湖”" })).toBeVisible();
    await isClean();
  });
}
