// A page that was wrong is replaced, and readers are told.
import { addressOf, published, twenty } from "../../support/papers.js";
import { expect, test } from "../../support/test.js";

test("a wrong page is replaced and readers are told", { tag: "@no-js" }, async ({ page, signedIn: member }) => {
  const address = addressOf(member.account, "r");
  await published(page, address);
  await page.getByRole("link", { name: "换页面" }).click();
  await page.getByLabel("换哪里").selectOption({ label: "只换 第 1 页" });
  await page.getByLabel("改好的 PDF").setInputFiles({ name: "right.pdf", mimeType: "application/pdf", buffer: twenty("Right headline") });
  await page.getByRole("button", { name: "换上去" }).click();
  await expect(page.getByText("请选择要不要告诉读者").first()).toBeVisible();
  await page.getByLabel(/^写更正/).check();
  await page.getByLabel("更正说明").fill("头条标题有误。");
  await page.getByRole("button", { name: "换上去" }).click();
  await expect(page.getByRole("status")).toContainText("版面换好了");
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("有 1 篇稿件要核对")).toBeVisible({ timeout: 1000 });
  }).toPass();
  await page.getByRole("link", { name: /Wrong headline/ }).click();
  await page.getByRole("button", { name: "改用版面上的文字" }).click();
  await expect(page.getByRole("status")).toContainText("稿件已保存");
  await page.context().clearCookies();
  await page.goto(`/magazine/${address}/1/1`);
  await expect(page.getByRole("region", { name: "更正" })).toContainText("头条标题有误。");
  await expect(page.getByRole("region", { name: "本页标题" })).toContainText("Right headline");
});
