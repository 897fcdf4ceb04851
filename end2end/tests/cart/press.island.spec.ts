// A press that begins on the plain form and ends when the script has come.
import { hold } from "../../support/line.js";
import { bookInCart } from "../../support/making.js";
import { middle } from "../../support/still.js";
import { expect, test } from "../../support/test.js";

test("a press during which the script comes is not lost", async ({ page, signedIn: _ }) => {
  const info = /\/cart\/cartInfo/;
  const asked = page.waitForRequest(info);
  const answered = page.waitForResponse(info);
  const release = await hold(page, info);
  await page.goto(`/manager/shopping/cart/${await bookInCart(page, "慢慢按")}/options`);
  const summary = page.getByText("价格怎么来的");
  await summary.scrollIntoViewIfNeeded();
  const { x, y } = await middle(summary);
  await page.mouse.move(x, y);
  await asked;
  await page.mouse.down();
  release();
  await (await answered).finished();
  // drawn as soon as it may be
  for (let frames = 0; frames < 20; frames += 1) await page.evaluate(() => new Promise(requestAnimationFrame));
  await page.mouse.up();
  await expect(page.getByRole("group").filter({ hasText: "价格怎么来的" }).getByText("合计")).toBeVisible();
  await expect(page.getByRole("button", { name: /^礼品/ })).toBeVisible();
});
