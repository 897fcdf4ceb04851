// Paying an order in another way than from the balance.
import { PayPage } from "../../pages/PayPage.js";
import { PaymentPage } from "../../pages/PaymentPage.js";
import { Shell } from "../../pages/Shell.js";
import { placedOrder } from "../../support/making.js";
import { expect, test } from "../../support/test.js";
import { scan } from "../../support/ways.js";

test("an order is paid with a scanned code though the balance is empty", async ({ page, signedIn: _ }) => {
  await page.goto(await placedOrder(page, "扫码付款"));
  const [order, payment] = [new PayPage(page), new PaymentPage(page)];
  await expect(order.said).toContainText("余额不足");
  await page.getByRole("button", { name: "微信支付" }).click();
  await expect(payment.code).toBeVisible();
  await scan(payment.number, true);
  await expect(payment.arrived).toBeVisible();
  await expect(page.getByText("订单已付款")).toBeVisible();
  await expect(new Shell(page).money, "all of it paid the order").toHaveText("¥0.00");
});

test("money that comes after the order was cancelled is in the balance", async ({ page, signedIn: _ }) => {
  await page.goto(await placedOrder(page, "付得太晚"));
  const payment = new PaymentPage(page);
  await page.getByRole("button", { name: "微信支付" }).click();
  await expect(payment.code).toBeVisible();
  const { number } = payment;
  const order = await page.getByRole("link", { name: "换一种方式付款" }).getAttribute("href");
  await page.goto((order ?? "").replace("/shopping/pay?order=", "/order/"));
  await page.getByRole("button", { name: /^取消订单/ }).click();
  await expect(page.getByText("已取消").first()).toBeVisible();
  await scan(number, true);
  await page.goto(`/manager/payment/${number}`);
  await expect(payment.arrived).toBeVisible();
  await expect(payment.said.first()).toContainText("订单在这之前已经取消");
  await expect(new Shell(page).money).not.toHaveText("¥0.00");
});
