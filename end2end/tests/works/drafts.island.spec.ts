// Words that were typed and not saved survive another button of the page.
import { DesignPage } from "../../pages/DesignPage.js";
import { WorkPage } from "../../pages/WorkPage.js";
import { album } from "../../support/making.js";
import { expect, test } from "../../support/test.js";

test("words that were typed are still there after another layout was taken", async ({ page, signedIn: _ }) => {
  await page.goto(await album(page, "没写完的话", 6));
  await new DesignPage(page).openFrom(2);
  const words = page.getByRole("textbox", { name: /^第 \d+ 页的/ }).first();
  await words.fill("那天的风很大。");
  await page.getByRole("button", { name: /^换成：/ }).first().click();
  await expect(page.getByText("已换好")).toBeVisible();
  await expect(page.getByText("刚才写的还没有保存，已放回原处。")).toBeVisible();
  await expect(words).toHaveValue("那天的风很大。");
  await page.getByRole("button", { name: "保存文字" }).click();
  await expect(new WorkPage(page).said).toContainText("已保存");
  await page.reload();
  await expect(page.getByText("刚才写的还没有保存")).toHaveCount(0);
});
