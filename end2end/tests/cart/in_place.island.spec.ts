// The cart's changes without leaving the page.
import { CartPage } from "../../pages/CartPage.js";
import { threeInCart } from "../../support/making.js";
import { expect, test } from "../../support/test.js";

test.beforeEach(async ({ page, signedIn: _ }) => {
  await threeInCart(page, "三份");
  await new CartPage(page).open();
  await page.evaluate(() => Object.assign(globalThis, { same: true }));
});

test.afterEach(async ({ page }) => {
  expect(await page.evaluate(() => "same" in globalThis), "the page was not left").toBe(true);
});

test("the sum follows the chosen lines, and stays after a reload", async ({ page }) => {
  const cart = new CartPage(page);
  const three = await cart.fen();
  await cart.chosen("三份").first().uncheck();
  await expect.poll(() => cart.fen()).toBe((three * 2) / 3);
  await expect(cart.sum).toContainText("已选 2 件");
  await page.reload();
  await page.evaluate(() => Object.assign(globalThis, { same: true }));
  await expect(cart.chosen("三份").first()).not.toBeChecked();
  await expect.poll(() => cart.fen()).toBe((three * 2) / 3);
  for (const box of await cart.chosen("三份").all()) await box.uncheck();
  await expect(cart.checkOut).toBeDisabled();
});

test("a number of copies is kept as soon as it is changed", async ({ page }) => {
  const cart = new CartPage(page);
  const before = await cart.fen();
  await cart.chosen("三份").nth(1).uncheck();
  const field = cart.quantity("三份").first();
  await field.fill("4");
  await field.press("Tab");
  await expect.poll(() => cart.fen()).toBeGreaterThan(before);
  await expect(cart.chosen("三份").nth(1), "what was left out stays left out").not.toBeChecked();
  await cart.quantity("三份").first().fill("0");
  await cart.quantity("三份").first().press("Enter");
  await expect(cart.quantity("三份").first()).toHaveAccessibleDescription("数量须为 1 到 1000000 的整数");
  await expect(cart.quantity("三份").first()).toHaveValue("0");
});

test("a removed line can be put back", async ({ page }) => {
  const cart = new CartPage(page);
  await cart.lines.first().getByRole("button", { name: "移除" }).click();
  await expect(cart.lines).toHaveCount(2);
  await expect(page.getByRole("banner").getByRole("link", { name: /购物车/ })).toContainText("2");
  await page.getByRole("button", { name: /撤销/ }).click();
  await expect(cart.lines).toHaveCount(3);
  await expect(page.getByRole("banner").getByRole("link", { name: /购物车/ })).toContainText("3");
});

test("a change that fails is said and changes nothing", async ({ page }) => {
  const cart = new CartPage(page);
  await page.route("**/removal", (route) => route.fulfill({ status: 400, body: "不行" }));
  await cart.lines.first().getByRole("button", { name: "移除" }).click();
  await expect(page.getByRole("alert")).toContainText("请求失败，请重试");
  await expect(cart.lines).toHaveCount(3);
});
