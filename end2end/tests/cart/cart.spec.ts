import { CartPage } from "../../pages/CartPage.js";
import { Shell } from "../../pages/Shell.js";
import { WorkPage } from "../../pages/WorkPage.js";
import { album, bookInCart } from "../../support/making.js";
import { expect, test } from "../../support/test.js";

test("an empty cart says what to do and does it", async ({ page, signedIn: _ }) => {
  const cart = new CartPage(page);
  await cart.open();
  await expect(cart.empty).toBeVisible();
  await expect(cart.checkOut).toHaveCount(0);
  await page.getByRole("link", { name: "挑一件作品来印" }).click();
  await page.getByRole("link", { name: "做第一本书" }).click();
  await expect(page).toHaveURL("/manager/make_ebook");
});

test("lines are chosen, left out and removed", { tag: "@no-js" }, async ({ page, javaScriptEnabled, signedIn: _ }) => {
  const work = await album(page, "两份", 2);
  const cart = new CartPage(page);
  for (const lines of [1, 2]) {
    await page.goto(work);
    await new WorkPage(page).print.click();
    await page.waitForURL(/\/manager\/shopping\/cart\/[^/]+\/options$/);
    await cart.open();
    await expect(cart.line("两份")).toHaveCount(lines);
  }
  await expect(new Shell(page).cart).toHaveAccessibleName(/2/);

  for (const box of await cart.chosen("两份").all()) await box.uncheck();
  if (javaScriptEnabled) {
    await expect(cart.checkOut).toBeDisabled();
  } else {
    await cart.checkOut.click();
    await expect(cart.complaint).toContainText("请先选择要结算的商品");
  }

  await cart.open();
  await cart.chosen("两份").first().uncheck();
  await cart.chosen("两份").last().check();
  await cart.checkOut.click();
  await expect(page).toHaveURL(/\/manager\/shopping\/order\/[^,/]+$/);

  await cart.open();
  await cart.line("两份").first().getByRole("button", { name: "移除" }).click();
  await expect(cart.line("两份")).toHaveCount(1);
});

test("a number that was only typed is what is ordered", async ({ page, signedIn: _ }) => {
  await bookInCart(page, "三十本");
  const cart = new CartPage(page);
  await cart.open();
  await cart.quantity("三十本").fill("30");
  await cart.checkOut.click();
  await expect(page).toHaveURL(/\/manager\/shopping\/order\//);
  await expect(page.getByRole("main")).toContainText("30 本");
});

test("what was left out stays out when another line's number changes", async ({ page, signedIn: _ }) => {
  const cart = new CartPage(page);
  for (const title of ["留下", "不要"]) await bookInCart(page, title);
  await cart.open();
  await cart.chosen("不要").uncheck();
  await cart.quantity("留下").fill("2");
  await cart.quantity("留下").press("Enter");
  await expect(cart.sum).toContainText("已选 1 件");
  await expect(cart.chosen("不要")).not.toBeChecked();
  await expect(cart.quantity("留下")).toHaveValue("2");
});

test("the enter key on a line's box removes nothing", async ({ page, signedIn: _ }) => {
  await bookInCart(page, "别丢了我");
  const cart = new CartPage(page);
  await cart.open();
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.url()));
  await cart.chosen("别丢了我").press("Enter");
  await cart.open();
  await expect(cart.line("别丢了我")).toHaveCount(1);
  expect(sent.filter((address) => address.includes("/removal"))).toEqual([]);
});
