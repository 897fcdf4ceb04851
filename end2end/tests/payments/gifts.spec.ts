// A coupon takes something off an order, and a gift card pays a part of the rest: on a phone, from the shop that makes the coupon to
// the card that has its money again.
import { randomUUID } from "node:crypto";
import { CheckoutPage } from "../../pages/CheckoutPage.js";
import { OrderPage } from "../../pages/OrdersPage.js";
import { PayPage } from "../../pages/PayPage.js";
import { Shell } from "../../pages/Shell.js";
import { signInClerk } from "../../support/clerk.js";
import { bookAtCheckout } from "../../support/making.js";
import { sideways } from "../../support/pictures.js";
import { expect, test } from "../../support/test.js";

test.use({ balance: "500", viewport: { width: 360, height: 740 } });

const data = () => process.env["END2END_DATA"] ?? "";
const yuan = (text: string) => Number(text.replace(/[¥,\s]/g, ""));

test("a coupon takes off and a gift card pays", { tag: "@no-js" }, async ({ page, signedIn: _, browser, baseURL, javaScriptEnabled }) => {
  test.slow();
  const fits = async () => expect(await sideways(page), page.url()).toEqual([]);
  const word = `gift${randomUUID().slice(0, 8)}`.toUpperCase();
  const [checkout, till] = [new CheckoutPage(page), new PayPage(page)];

  await test.step("the shop makes a coupon", async () => {
    const context = await browser.newContext({ baseURL: baseURL ?? "", javaScriptEnabled, locale: "zh-CN" });
    const office = await context.newPage();
    await signInClerk(office, data(), "财务");
    await office.goto("/staff/coupons/new");
    await office.getByLabel("名称").fill("开春");
    await office.getByLabel("减多少（元）").fill("20");
    await office.getByLabel("最后一天").fill("2099-12-31".replace("2099", String(new Date().getFullYear())));
    await office.getByLabel("优惠码（如").fill(word);
    await office.getByLabel("一共可用几次").fill("3");
    await office.getByRole("button", { name: "做好" }).click();
    await expect(office.getByRole("heading", { level: 1 })).toContainText("开春");
    await context.close();
  });

  const code = await test.step("a card is bought", async () => {
    await page.goto("/manager/gift-cards");
    await fits();
    await page.getByLabel("其他金额").fill("30");
    await page.getByRole("radio", { name: "打印出来" }).check();
    await page.getByLabel("您的落款").fill("小雨");
    await page.getByRole("button", { name: "去付款" }).click();
    await till.pay.click();
    await expect(page.getByRole("link", { name: "下载 PDF" })).toBeVisible();
    await fits();
    return page.locator(".gift-code").innerText();
  });

  const total = await test.step("the coupon takes off what it says", async () => {
    await bookAtCheckout(page, "券和卡");
    const sum = async () => yuan(await checkout.sums.getByRole("definition").last().innerText());
    const before = await sum();
    await page.getByLabel("优惠码").fill(word.toLowerCase());
    await page.getByRole("button", { name: "使用" }).click();
    await expect(checkout.sums).toContainText(word);
    const after = await sum();
    expect(before - after).toBeCloseTo(20);
    await fits();
    await checkout.place.click();
    return after;
  });

  await test.step("the card pays a part", async () => {
    await expect(till.heading).toBeAttached();
    const type = async (code: string) => {
      const field = page.getByLabel("卡号");
      if (!(await field.isVisible())) await page.getByText("用礼品卡的卡号").click();
      await field.fill(code);
      await page.getByRole("button", { name: "使用" }).click();
    };
    await type("AAAA-AAAA-AAAA-AAAA");
    await expect(page.locator("#card-error")).toContainText("没有这张礼品卡");
    await expect(page.getByLabel("卡号")).toHaveValue("AAAA-AAAA-AAAA-AAAA");
    await type(code);
    await expect(page.getByRole("button", { name: /^取下/ })).toBeVisible();
    await fits();
    // off again, and on by its name
    await page.getByRole("button", { name: /^取下/ }).click();
    await page.getByRole("button", { name: /^用礼品卡 .*有 ¥30.00/ }).click();
    await page.getByRole("button", { name: "用礼品卡和余额支付" }).click();
    await expect(till.done).toBeVisible();
    await expect(page.getByRole("main")).toContainText("礼品卡付 ¥30.00");
    await expect(new Shell(page).money).toHaveText(`¥${(500 - total).toFixed(2)}`);
    await fits();
  });

  await test.step("the order says both, and gives the card its money back", async () => {
    await till.order.click();
    const main = page.getByRole("main");
    await expect(main).toContainText(word);
    await expect(main).toContainText("其中礼品卡");
    await fits();
    await page.getByRole("button", { name: /^取消订单/ }).click();
    await expect(new OrderPage(page).progress).toContainText("已取消");
    await expect(main).toContainText("已退回礼品卡");
    await expect(new Shell(page).money).toHaveText("¥470.00");
    await page.goto("/manager/gift-cards");
    await page.getByRole("link", { name: /^查看\s*：礼品卡/ }).click();
    await expect(main).toContainText("订单退款");
    await fits();
    await page.getByRole("button", { name: "全部转入余额" }).click();
    await expect(page.getByRole("status").first()).toContainText("都转入您的余额");
    await expect(new Shell(page).money).toHaveText("¥500.00");
    await fits();
  });
});
