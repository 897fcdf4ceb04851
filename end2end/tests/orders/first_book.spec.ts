// Somebody new with a phone: from 注册 to a paid book, and how often the screen is touched on the way.
import { randomUUID } from "node:crypto";
import type { Locator } from "@playwright/test";
import { CheckoutPage } from "../../pages/CheckoutPage.js";
import { CodePage } from "../../pages/CodePage.js";
import { MakePage } from "../../pages/MakePage.js";
import { OptionsPage } from "../../pages/OptionsPage.js";
import { OrderPage } from "../../pages/OrdersPage.js";
import { PayPage } from "../../pages/PayPage.js";
import { PaymentPage } from "../../pages/PaymentPage.js";
import { WorkPage } from "../../pages/WorkPage.js";
import { photo } from "../../support/photos.js";
import { type Server, startWithoutWays } from "../../support/server.js";
import { test as base, expect } from "../../support/test.js";

/** The most taps from the chosen photos to the paid order; words are typed besides. */
const MOST_TAPS = 9;

const test = base.extend<object, { demo: Server }>({
  demo: [
    async ({}, use) => {
      const server = await startWithoutWays();
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: async ({ demo }, use) => use(demo.base),
});

test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

test("a newcomer's photos are a paid book after nine taps", { tag: ["@no-js", "@old-phone"] }, async ({ page, demo, javaScriptEnabled }) => {
  test.slow();
  const taps: string[] = [];
  const tap = async (what: string, control: Locator) => {
    taps.push(what);
    await control.tap();
  };
  const choose = async (what: string, list: Locator, option: string) => {
    taps.push(what);
    await list.selectOption({ label: option });
  };

  await test.step("register", async () => {
    await page.goto("/manager/make_ebook");
    await page.getByRole("link", { name: "注册" }).tap();
    const door = new CodePage(page);
    const code = await door.ask(`reader-${randomUUID().slice(0, 13)}@example.com`, demo.data);
    await door.code.fill(code);
    await door.password.fill("一盏河边的红灯笼");
    await page.getByRole("button", { name: "注册并登录" }).tap();
    await expect(page).toHaveURL("/manager/make_ebook");
  });

  await test.step("make a book", async () => {
    const desk = new MakePage(page);
    await desk.title.fill("第一本书");
    const photos = Array.from({ length: 24 }, (_, at) => photo(`${at + 1}.jpg`, 960, at % 3 === 0 ? 1280 : 640));
    await desk.add(photos);
    await tap("生成画册", desk.button);
    await page.waitForURL(/\/manager\/opus\/[^/]+$/);
  });

  await test.step("choose how it is printed", async () => {
    await tap("选择印刷方式", new WorkPage(page).print);
    const options = new OptionsPage(page);
    await tap("直接结算", options.order);
  });

  await test.step("say where it goes", async () => {
    const checkout = new CheckoutPage(page);
    await expect(checkout.heading).toBeVisible();
    await checkout.receiver.fill("林知夏");
    await checkout.phone.fill("13800138000");
    await choose("省份", checkout.province, "浙江省");
    if (javaScriptEnabled) await choose("城市", checkout.city, "杭州市");
    else await tap("按省份列出城市和区县", checkout.look);
    await choose("区县", checkout.district, "西湖区");
    await checkout.street.fill("龙井路 18 号");
    await expect(checkout.sums).toContainText("应付");
    await tap("提交订单", checkout.place);
  });

  await test.step("pay", async () => {
    const paying = new PayPage(page);
    await tap("演示付款", paying.way("演示付款"));
    const payment = new PaymentPage(page);
    await expect(page.getByRole("main")).toContainText("不收钱");
    await tap("完成付款", payment.pretend);
    await expect(payment.arrived).toBeVisible();
    await page.getByRole("link", { name: "查看订单" }).tap();
    await expect(new OrderPage(page).progress).toContainText("已付款");
  });

  expect(taps.length, taps.join(" → ")).toBeLessThanOrEqual(MOST_TAPS);
});
