// The back office: an order is found, looked at, and its money given back; what was done stands in the log; a member's pages are
// seen as the member sees them.
import type { Page } from "@playwright/test";
import { faults } from "../../support/axe.js";
import { signInClerk } from "../../support/clerk.js";
import { paidOrder } from "../../support/making.js";
import { allPicturesLoad, sideways } from "../../support/pictures.js";
import { expect, test } from "../../support/test.js";

/** One page's fault hides no other's. */
const softly = expect.configure({ soft: true });

test.use({ balance: "500" });

const data = () => process.env["END2END_DATA"] ?? "";

/** A page is whole, fits a phone, and has no fault that axe knows on a computer, for which scripts must run in it. */
async function isWhole(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await softly(page, path).toHaveTitle(/^.+ · 书坊$/);
  await softly(page.getByRole("heading", { level: 1 }), path).toHaveCount(1);
  await softly.poll(() => faults(page), path).toEqual([]);
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await softly.poll(() => sideways(page), `${path} ${width}`).toEqual([]);
  }
}

test("an order is found, looked at and given back", { tag: "@no-js" }, async ({ page, signedIn: member, browser, baseURL, javaScriptEnabled }) => {
  test.slow();
  const number = (await paidOrder(page, "后台的书")).split("/").pop() ?? "";

  const context = await browser.newContext({ baseURL: baseURL ?? "", javaScriptEnabled, locale: "zh-CN" });
  const office = await context.newPage();
  const main = office.getByRole("main");
  const device = await signInClerk(office, data(), "站长");

  await test.step("find it and look at it", async () => {
    await main.getByRole("searchbox").fill(number);
    await main.getByRole("button", { name: "找订单" }).click();
    await main.getByRole("link", { name: number }).click();
    await expect(office.getByRole("heading", { level: 1 })).toContainText(number);
    await allPicturesLoad(main);
    // its member may still cancel: there is nothing to begin, and nothing to print
    await expect(main.getByRole("button", { name: "开始印制" })).toHaveCount(0);
    await expect(main).toContainText("到时才给文件");
  });

  await test.step("give its money back, with another code", async () => {
    await main.getByText("退款", { exact: true }).first().click();
    await main.getByRole("radio", { name: /全部退款/ }).check();
    await main.getByLabel("原因（会员会看到）").fill("会员打电话来，书名写错了");
    await main.getByRole("button", { name: "退款", exact: true }).click();
    await expect(main.getByRole("alert")).toContainText("请再输入一次动态验证码");
    await expect(main.getByLabel("原因（会员会看到）")).toHaveValue("会员打电话来，书名写错了");
    await main.getByLabel("动态验证码").fill(device.code());
    await main.getByRole("button", { name: "退款", exact: true }).click();
    await expect(main.getByRole("status")).toContainText("已办好");
    await page.goto(`/manager/order/${number}`);
    await expect(page.getByRole("main")).toContainText("书名写错了");
  });

  await test.step("it stands in the log, and every page is whole", async () => {
    await office.goto(`/staff/audit?q=${number}`);
    await expect(main).toContainText("原因：会员打电话来，书名写错了");
    await main.getByRole("searchbox").fill("退款");
    await main.getByRole("button", { name: "搜索" }).click();
    await expect(office).toHaveURL(`/staff/audit?q=${encodeURIComponent("退款")}`);
    await expect(main).toContainText(number);
    await main.getByRole("button", { name: "核对整份日志" }).click();
    await expect(main).toContainText("没有被改过");
    await office.goto(`/staff/members?q=${member.account}`);
    const own = (await main.locator("tbody a").first().getAttribute("href")) ?? "";
    const pages = ["", "/orders", `/orders/${number}`, "/parcels", "/payments", "/coupons", "/coupons/new", "/gift-cards", "/invoices", "/members", "/reports", "/goods", "/machine", "/audit", "/me"];
    for (const path of [...pages.map((path) => `/staff${path}`), own, "/staff/reports?view=closed"]) {
      if (javaScriptEnabled) await isWhole(office, path);
    }
    await office.goto(own);
  });

  await test.step("see the member's pages as the member does, and change nothing", async () => {
    const own = office.url();
    await main.getByLabel("查看的原因（会员会看到）").fill("会员说找不到订单");
    await main.getByRole("button", { name: "查看会员的页面" }).click();
    await expect(office).toHaveURL("/manager/userInfo");
    for (const path of ["/manager/userInfo", "/manager/opus_list/all", "/manager/order", `/manager/order/${number}`]) {
      if (javaScriptEnabled) await isWhole(office, path);
    }
    await office.getByRole("status").getByRole("button", { name: "结束" }).click();
    await expect(office).toHaveURL(own);
    await page.goto("/manager/userInfo/signins");
    await expect(page.getByRole("main")).toContainText("会员说找不到订单");
  });
  await context.close();
});
