// A magazine of one page with twenty stories, which is out.
import { type Page, expect } from "@playwright/test";
import { pageOfWords } from "./pdf.js";

/** Twenty stories in four columns: each a headline over two lines. */
export function twenty(lead: string): Buffer {
  const stories = Array.from({ length: 20 }, (_, index): [number, number, number, string][] => {
    const [x, y] = [30 + 138 * (index % 4), 780 - 150 * Math.floor(index / 4)];
    const name = index === 0 ? lead : `Story number ${index + 1}`;
    return [
      [x, y, 16, name],
      [x, y - 22, 9, `Here the text of ${index + 1} begins and`],
      [x, y - 33, 9, "it goes on in a second line of it."],
    ];
  });
  return pageOfWords(stories.flat());
}

/** A magazine without issues, at its desk. */
export async function made(page: Page, address: string): Promise<void> {
  await page.goto("/manager/magazine/new");
  await page.getByLabel("名称", { exact: true }).fill("一版");
  await page.getByLabel("主办").fill("三年级二班");
  await page.getByLabel(/^短地址/).fill(address);
  await page.getByRole("button", { name: "保存" }).click();
}

/** A magazine of one page that is out, and the desk of its issue. */
export async function published(page: Page, address: string): Promise<string> {
  await made(page, address);
  await page.getByRole("link", { name: "出第一期" }).click();
  await page.getByLabel(/^排好的 PDF/).setInputFiles({ name: "paper.pdf", mimeType: "application/pdf", buffer: twenty("Wrong headline") });
  await page.getByRole("button", { name: "建好草稿" }).click();
  await expect(page.getByRole("status")).toContainText("草稿建好了");
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("读出 20 篇稿件的建议")).toBeVisible({ timeout: 1000 });
  }).toPass();
  const desk = page.url().replace(/\?.*/, "");
  await page.getByRole("button", { name: "全部采用" }).click();
  await page.getByRole("button", { name: "现在发布" }).click();
  return desk;
}

/** A short address that nobody else has. */
export const addressOf = (account: string, first: string) => `${first}-${account.replace(/[^a-z0-9]/g, "").slice(0, 24)}`;
