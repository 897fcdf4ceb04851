import { CartPage } from "../../pages/CartPage.js";
import { CheckoutPage } from "../../pages/CheckoutPage.js";
import { MakePage } from "../../pages/MakePage.js";
import { OptionsPage } from "../../pages/OptionsPage.js";
import { OrderPage, OrdersPage } from "../../pages/OrdersPage.js";
import { PayPage } from "../../pages/PayPage.js";
import { Shell } from "../../pages/Shell.js";
import { WorkPage } from "../../pages/WorkPage.js";
import { allPicturesLoad } from "../../support/pictures.js";
import { photos } from "../../support/photos.js";
import { expect, test } from "../../support/test.js";

test.use({ balance: "500" });

test("from photos to a paid order, and back", async ({ page, signedIn: _ }) => {
  test.slow();
  const shell = new Shell(page);
  await page.goto("/manager/make_ebook");
  await expect(shell.money).toHaveText("¥500.00");

  await test.step("make a book", async () => {
    const desk = new MakePage(page);
    await desk.choose("方形画册", "素简");
    await desk.title.fill("海边的夏天");
    await desk.author.fill("林知夏");
    await desk.add(photos());
    await desk.send();
    await allPicturesLoad(page.getByRole("main"));
  });

  await test.step("change its texts", async () => {
    const work = new WorkPage(page);
    await work.title.fill("那年夏天");
    await work.captions.first().fill("我们在海边住了一个星期。");
    await work.save.click();
    await expect(work.said).toContainText("已保存");
    await work.print.click();
  });

  let total = "";
  await test.step("choose goods and options", async () => {
    // square books are made in one way: there is nothing to choose
    await page.waitForURL(/\/manager\/shopping\/cart\/[^/]+\/options$/);
    const options = new OptionsPage(page);
    await options.item("装订方式", "铁圈装").check();
    await options.quantity.fill("2");
    await options.reprice();
    await expect(options.quantity).toHaveValue("2");
    await options.next.click();
    const cart = new CartPage(page);
    await expect(cart.line("那年夏天")).toContainText("铁圈装");
    await cart.checkOut.click();
  });

  await test.step("give an address and order", async () => {
    const checkout = new CheckoutPage(page);
    await expect(checkout.heading).toBeVisible();
    await checkout.fillAddress();
    await expect(checkout.sums).toContainText("运费");
    total = (await checkout.sums.getByRole("definition").last().innerText()).trim();
    await checkout.place.click();
  });

  const paying = new PayPage(page);
  await test.step("pay from the balance", async () => {
    await expect(page).toHaveURL(/\/manager\/shopping\/pay\?order=/);
    await expect(page.getByRole("main")).toContainText(total);
    await paying.pay.click();
    await expect(paying.done).toBeVisible();
    await allPicturesLoad(page.getByRole("main"));
    const left = 500 - Number(total.replace(/[¥,\s]/g, ""));
    await expect(shell.money).toHaveText(`¥${left.toFixed(2)}`);
    await paying.order.click();
  });

  await test.step("look at the order and cancel it", async () => {
    const order = new OrderPage(page);
    await expect(order.heading).toBeVisible();
    await expect(order.progress).toContainText("已付款");
    await expect(page.getByRole("main")).toContainText("浙江省 杭州市 西湖区 龙井路 18 号");
    await expect(page.getByRole("main")).toContainText("铁圈装");
    await allPicturesLoad(page.getByRole("main"));
    await order.cancel.click();
    await expect(order.progress).toContainText("已取消");
    await expect(order.cancel).toHaveCount(0);
    await expect(shell.money).toHaveText("¥500.00");
  });

  const orders = new OrdersPage(page);
  await orders.open();
  await expect(orders.rows).toHaveCount(1);
  await expect(orders.rows.first()).toContainText("已取消");
});
