import { DesignPage } from "../../pages/DesignPage.js";
import { WorkPage } from "../../pages/WorkPage.js";
import { album } from "../../support/making.js";
import { allPicturesLoad } from "../../support/pictures.js";
import { expect, test } from "../../support/test.js";

test("a page gets another layout, theme and background, and its photos stay", { tag: "@no-js" }, async ({ page, signedIn: _ }) => {
  await page.goto(await album(page, "海边的夏天", 6));
  const work = new WorkPage(page);
  const picture = work.pages.nth(2);
  const before = await picture.getAttribute("src");
  const design = new DesignPage(page);
  await design.openFrom(3);
  await expect(design.heading).toHaveText("第 2–3 页");
  expect(await design.layouts.count()).toBeGreaterThanOrEqual(2);
  const other = page.locator('input[name="layout"]:not(:checked)').first();
  const chosen = (await other.getAttribute("value")) ?? "";
  await other.check();
  await design.choose("这一页的风格", "手账");
  await design.choose("底色", "淡彩");
  await design.save.click();
  await expect(work.said).toContainText("已换成新的版式");
  await expect(picture, "another revision, another picture").not.toHaveAttribute("src", before ?? "");
  await allPicturesLoad(page.getByRole("main"));
  await design.openFrom(3);
  await expect(page.locator('input[name="layout"]:checked')).toHaveValue(chosen);
  await expect(page.getByRole("radio", { name: "手账" })).toBeChecked();
});
