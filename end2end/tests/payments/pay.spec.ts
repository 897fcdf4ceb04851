import { CheckoutPage } from "../../pages/CheckoutPage.js";
import { OrderPage } from "../../pages/OrdersPage.js";
import { PayPage } from "../../pages/PayPage.js";
import { Shell } from "../../pages/Shell.js";
import { bookAtCheckout, placedOrder } from "../../support/making.js";
import { expect, test } from "../../support/test.js";

test.use({ balance: "1000" });

test("paying with a double click pays once", async ({ page, signedIn: _ }) => {
  await bookAtCheckout(page, "付一次");
  const checkout = new CheckoutPage(page);
  const total = Number((await checkout.sums.getByRole("definition").last().innerText()).replace(/[¥,\s]/g, ""));
  await checkout.place.click();
  const paying = new PayPage(page);
  await paying.pay.dblclick();
  await expect(paying.done).toBeVisible();
  await expect(new Shell(page).money).toHaveText(`¥${(1000 - total).toFixed(2)}`);
  await paying.order.click();
  await expect(new OrderPage(page).progress.getByText("已付款", { exact: true })).toHaveCount(1);
});

test("a paid order is not paid again from an old page", async ({ page, signedIn: _ }) => {
  await page.goto(await placedOrder(page, "已经付了"));
  const paying = new PayPage(page);
  await expect(paying.pay).toBeVisible();
  const address = page.url();
  await paying.pay.click();
  await expect(paying.done).toBeVisible();
  const balance = await new Shell(page).money.innerText();
  await page.goto(address);
  await expect(paying.said).toContainText("不需要付款");
  await expect(page.getByRole("main"), "nothing more will leave the balance").not.toContainText("付后余额");
  await expect(paying.pay).toHaveCount(0);
  await expect(new Shell(page).money).toHaveText(balance);
});
