// A work is shared, gets a hot area by its four numbers, and is read page by page.
import { ReaderPage } from "../../pages/ReaderPage.js";
import { blank } from "../../support/making.js";
import { expect, test } from "../../support/test.js";

test("a maker shares a work with a note on it, and readers find both", { tag: ["@no-js", "@old-phone"] }, async ({ page, signedIn: _ }) => {
  await page.goto(await blank(page, "给大家看的书"));
  const reader = new ReaderPage(page);
  const address = await reader.publish();
  await page.getByRole("link", { name: "热区", exact: true }).click();
  for (const [name, value] of [["左", "100"], ["上", "100"], ["宽", "400"], ["高", "2000"]] as const) {
    await page.getByLabel(name, { exact: true }).fill(value);
  }
  await page.getByLabel("名称").fill("看注解");
  await page.getByLabel("点了以后打开").selectOption("note");
  await page.getByLabel("文字", { exact: true }).fill("这里将来放一张照片。");
  await page.getByRole("button", { name: "保存热区" }).click();
  await expect(page.getByText("热区要在页面里面").first()).toBeVisible();
  await expect(page.getByLabel("文字", { exact: true }), "what was typed is still there").toHaveValue("这里将来放一张照片。");
  await page.getByLabel("高", { exact: true }).fill("300");
  await page.getByRole("button", { name: "保存热区" }).click();
  await expect(page.getByRole("status")).toContainText("热区已保存");

  await page.context().clearCookies();
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("给大家看的书");
  await page.getByRole("link", { name: "开始阅读" }).click();
  await expect(reader.picture).toBeVisible();
  await reader.areas.first().click();
  await expect(reader.said).toContainText("这里将来放一张照片。");
  await page.keyboard.press("Escape");
  await reader.next.click();
  await expect(page).toHaveURL(/\/2$/);
  await expect(reader.areas).toHaveCount(0);
});
