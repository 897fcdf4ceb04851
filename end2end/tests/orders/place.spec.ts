import { CheckoutPage } from "../../pages/CheckoutPage.js";
import { OrderPage, OrdersPage } from "../../pages/OrdersPage.js";
import { PayPage } from "../../pages/PayPage.js";
import { Shell } from "../../pages/Shell.js";
import { bookAtCheckout, bookInCart, placedOrder } from "../../support/making.js";
import { expect, test } from "../../support/test.js";

test("an address that is not complete is refused beside its fields", { tag: "@no-js" }, async ({ page, signedIn: _ }) => {
  await page.goto(`/manager/shopping/order/${await bookInCart(page, "地址")}`);
  const checkout = new CheckoutPage(page);
  await checkout.receiver.fill("林知夏");
  await checkout.phone.fill("12");
  await checkout.saveAddress.click();
  await expect(checkout.complaint).toBeVisible();
  await expect(checkout.receiver).toHaveValue("林知夏");
  await expect(checkout.phone).toHaveValue("12");
  await expect(checkout.phone).toHaveAttribute("aria-invalid", "true");
  await expect(checkout.province).toHaveAttribute("aria-invalid", "true");
  await checkout.addAddress();
  await expect(checkout.sums).toContainText("应付");
});

test("ordering with a double click orders once", async ({ page, signedIn: _ }) => {
  await bookAtCheckout(page, "只要一份");
  await new CheckoutPage(page).place.dblclick();
  await expect(page).toHaveURL(/\/manager\/shopping\/pay\?order=/);
  const orders = new OrdersPage(page);
  await orders.open();
  await expect(orders.rows).toHaveCount(1);
});

test("an order that the balance can't pay waits", async ({ page, signedIn: _ }) => {
  await bookAtCheckout(page, "太贵了");
  await new CheckoutPage(page).place.click();
  const paying = new PayPage(page);
  await expect(paying.said).toContainText("余额不足");
  await expect(paying.pay).toHaveCount(0);
  await paying.order.click();
  const order = new OrderPage(page);
  await expect(order.pay).toBeVisible();
  await expect(order.progress).toContainText("提交订单");
  const orders = new OrdersPage(page);
  await orders.open();
  await expect(orders.rows.first()).toContainText("待付款");
  await orders.rows.first().getByRole("link", { name: "去付款" }).click();
  await expect(paying.said).toContainText("余额不足");
  await expect(new Shell(page).money).toHaveText("¥0.00");
});

test("an order that was never paid can be cancelled", async ({ page, signedIn: _ }) => {
  await page.goto(await placedOrder(page, "不要了"));
  await new PayPage(page).order.click();
  const order = new OrderPage(page);
  await order.cancel.click();
  await expect(order.progress).toContainText("已取消");
  await expect(order.pay).toHaveCount(0);
});
