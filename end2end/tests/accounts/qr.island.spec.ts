import { expect, test } from "../../support/test.js";

test("a code that is over says so, and another takes its place without losing what is typed", async ({ page }) => {
  await page.clock.install();
  await page.goto("/manager/login");
  await expect(page.getByText("等待手机确认")).toBeVisible();
  await page.getByLabel("账号").fill("someone@example.com");
  const first = await page.locator("#qr input[name=ask]").inputValue();
  await page.clock.fastForward(61_000);
  await expect(page.getByText("二维码已过期")).toBeVisible();
  await page.getByRole("button", { name: "刷新" }).click();
  await expect(page.getByText("二维码已过期")).toHaveCount(0);
  await expect(page.locator("#qr input[name=ask]")).not.toHaveValue(first);
  await expect(page.getByText("等待手机确认")).toBeVisible();
  await expect(page.getByLabel("账号")).toHaveValue("someone@example.com");
});
