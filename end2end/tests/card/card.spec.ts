// A member makes a card, and others see of it what the member chose.
import { expect, test } from "../../support/test.js";

test("a card shows what its member chose, and is taken away again", { tag: "@no-js" }, async ({ page, signedIn: _ }) => {
  await page.goto("/manager/businessCard");
  await page.getByLabel("名字").fill("林知夏");
  await page.getByLabel("职务", { exact: true }).fill("摄影师");
  await page.getByLabel("电话", { exact: true }).fill("不告诉你");
  await page.getByRole("radio", { name: /藏青/ }).check();
  await page.getByRole("button", { name: "保存名片" }).click();
  await expect(page.getByText("电话写成").first()).toBeVisible();
  await expect(page.getByLabel("职务", { exact: true }), "what was typed is still there").toHaveValue("摄影师");
  await page.getByLabel("电话", { exact: true }).fill("13800138000");
  await page.getByRole("button", { name: "保存名片" }).click();
  await expect(page.getByRole("status")).toContainText("名片已保存");
  await page.getByRole("link", { name: "打开名片页面" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "林知夏" })).toBeVisible();
  await expect(page.getByText("摄影师")).toBeVisible();
  await expect(page.getByText("13800138000")).toHaveCount(0);
  await page.getByRole("link", { name: "修改" }).click();
  await page.getByRole("checkbox", { name: /公开\s*电话/ }).check();
  await page.getByRole("button", { name: "保存名片" }).click();
  await page.getByRole("link", { name: "打开名片页面" }).click();
  await expect(page.getByRole("link", { name: "打电话" })).toHaveAttribute("href", "tel:13800138000");
  const address = page.url();
  const saved = page.waitForEvent("download");
  await page.getByRole("link", { name: "存到通讯录" }).click();
  expect((await saved).suggestedFilename()).toMatch(/\.vcf$/);
  await page.goto("/manager/businessCard");
  await page.getByText("撤下名片").click();
  await page.getByRole("button", { name: "撤下", exact: true }).click();
  await expect(page.getByRole("status")).toContainText("名片已撤下");
  expect((await page.goto(address))?.status()).toBe(404);
});
