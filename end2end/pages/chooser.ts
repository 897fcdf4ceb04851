import { type Locator, type Page, expect, test } from "@playwright/test";
import type { File } from "../support/photos.js";

/**
 * Chooses photos in a file input. With JavaScript they are sent at once: waits until each is taken or refused, and
 * answers true. Without, they wait for the form.
 */
export async function choose(page: Page, input: Locator, files: File[] | string[]): Promise<boolean> {
  await input.setInputFiles(files);
  if (test.info().project.use.javaScriptEnabled === false) return false;
  const main = page.getByRole("main");
  const over = main.locator(".sending").filter({ hasText: /已上传|已有|没有收下/ });
  await expect(over).toBeVisible();
  await expect(main.getByRole("button", { name: /^(暂停|继续)$/ })).toHaveCount(0);
  return true;
}
