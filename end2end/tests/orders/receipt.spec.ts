import { CheckoutPage } from "../../pages/CheckoutPage.js";
import { OrderPage, OrdersPage } from "../../pages/OrdersPage.js";
import { PayPage } from "../../pages/PayPage.js";
import { Shell } from "../../pages/Shell.js";
import { paidOrder, placedOrder } from "../../support/making.js";
import { messageTo } from "../../support/outbox.js";
import { run, runLater } from "../../support/server.js";
import { expect, test } from "../../support/test.js";

test.use({ balance: "1000" });

const data = () => process.env.END2END_DATA ?? "";

test("an order is made, sent, received, and ordered once more", async ({ page, member, signedIn: _ }) => {
  test.slow();
  await page.goto(await paidOrder(page, "寄出去的书"));
  const [checkout, paying] = [new CheckoutPage(page), new PayPage(page)];
  const order = new OrderPage(page);
  const number = await order.number;

  await test.step("the operator can't begin what may still be cancelled", async () => {
    await expect(run(data(), "order", "start", number)).rejects.toThrow(/60 分钟/);
  });

  await test.step("made and sent", async () => {
    await runLater(data(), "order", "start", number);
    await page.reload();
    await expect(order.progress).toContainText("生产中");
    await expect(order.cancel).toHaveCount(0);
    await run(data(), "order", "ship", number, "--carrier", "顺丰速运", "--tracking", "SF1234567890");
    await page.reload();
    await expect(page.getByRole("main")).toContainText("SF1234567890");
    expect(await messageTo(member.account)).toContain("SF1234567890");
  });

  await test.step("received", async () => {
    await order.receive.click();
    await expect(order.progress).toContainText("已收货");
    await expect(order.receive).toHaveCount(0);
  });

  await test.step("the same once more", async () => {
    await order.again.click();
    await expect(page.getByRole("main")).toContainText("寄出去的书");
    await expect(page.getByRole("main")).toContainText("价格按今天的计算");
    await checkout.place.click();
    await paying.pay.click();
    await expect(paying.done).toBeVisible();
    const orders = new OrdersPage(page);
    await orders.open();
    await expect(orders.rows).toHaveCount(2);
  });

  await test.step("a part is given back, then the whole", async () => {
    const balance = async () => Number((await new Shell(page).money.innerText()).replace(/[¥,]/g, ""));
    const before = await balance();
    const words = ["order", "refund", number, "--reason", "封面有划痕"];
    await run(data(), ...words, "--amount", "5.00", "--key", "scratch");
    await run(data(), ...words, "--amount", "5.00", "--key", "scratch");
    await page.reload();
    expect(await balance()).toBeCloseTo(before + 5);
    await page.goto(`/manager/order/${number}`);
    await expect(order.progress).toContainText("部分退款：退回余额 ¥5.00：封面有划痕");
    await run(data(), ...words);
    await page.reload();
    await expect(order.progress).toContainText("已退款");
  });
});

test("after the hour a member asks for the cancellation", async ({ page, member, signedIn: _ }) => {
  await page.goto(await paidOrder(page, "改主意了"));
  const order = new OrderPage(page);
  const number = await order.number;
  await runLater(data(), "order", "start", number);
  await page.reload();
  await order.askToCancel("书名写错了");
  await expect(order.said).toContainText("已申请取消");
  expect(await run(data(), "order", "show", number)).toContain("书名写错了");
  await run(data(), "order", "decline", number, "--reason", "已经印好了");
  expect(await messageTo(member.account)).toContain("已经印好了");
  await page.reload();
  await expect(order.progress).toContainText("已经印好了");
  await order.askToCancel("还是想取消");
  await run(data(), "order", "refund", number, "--reason", "同意取消");
  await page.reload();
  await expect(order.progress).toContainText("已退款");
  await expect(new Shell(page).money).toHaveText("¥1,000.00");
});

test("orders are found by state, number and title", async ({ page, signedIn: _ }) => {
  await paidOrder(page, "第一本");
  await placedOrder(page, "第二本 100%");
  const orders = new OrdersPage(page);
  await orders.open();
  await expect(orders.rows).toHaveCount(2);
  await orders.view("待付款");
  await expect(orders.rows).toHaveCount(1);
  await expect(orders.rows).toContainText("第二本");
  await orders.find("第一本");
  await expect(page.getByRole("heading", { name: "没有符合的订单" })).toBeVisible();
  await orders.view("全部");
  await expect(orders.rows).toContainText("第一本");
  await orders.find("0%");
  await expect(orders.rows).toHaveCount(1);
  await expect(orders.search).toHaveValue("0%");
});
