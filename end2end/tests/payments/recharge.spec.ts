// Paying in from outside: by a code, on another site, by bank.
import { PaymentPage } from "../../pages/PaymentPage.js";
import { Shell } from "../../pages/Shell.js";
import { run } from "../../support/server.js";
import { expect, test } from "../../support/test.js";
import { scan } from "../../support/ways.js";

const DATA = () => process.env.END2END_DATA ?? "";

test("a scanned code arrives in the balance", async ({ page, signedIn: _ }) => {
  const paying = new PaymentPage(page);
  await paying.recharge("微信支付", "88.5");
  await expect(paying.code).toBeVisible();
  await scan(paying.number, true);
  // the page finds out by itself
  await expect(paying.arrived).toBeVisible();
  await expect(new Shell(page).money).toHaveText("¥88.50");
  await paying.open();
  await expect(paying.history.last()).toContainText("已付款");
  await expect(paying.balance.last()).toContainText("88.50");
});

test("a payment that nobody told of is found by asking", { tag: "@no-js" }, async ({ page, signedIn: _ }) => {
  const paying = new PaymentPage(page);
  await paying.recharge("微信支付", "20");
  await paying.ask.click();
  await expect(paying.said.first()).toContainText("还没有收到付款");
  await scan(paying.number, false);
  await paying.ask.click();
  await expect(paying.arrived).toBeVisible();
  await expect(new Shell(page).money).toHaveText("¥20.00");
});

test("Alipay leads there and back", async ({ page, signedIn: _ }) => {
  const paying = new PaymentPage(page);
  await paying.recharge("支付宝", "30");
  await page.getByRole("link", { name: "去支付宝付款" }).click();
  await page.getByRole("button", { name: "不付了" }).click();
  await expect(paying.said.first()).toContainText("如果已经付款，请查询结果");
  await page.getByRole("link", { name: "去支付宝付款" }).click();
  await page.getByRole("button", { name: "确认付款" }).click();
  // the page asks as soon as the member is back
  await expect(paying.arrived).toBeVisible();
  await expect(new Shell(page).money).toHaveText("¥30.00");
});

test("a bank transfer waits for the operator", async ({ page, signedIn: _ }) => {
  const paying = new PaymentPage(page);
  await paying.recharge("对公转账", "1200");
  await expect(page.getByText("中国工商银行杭州西湖支行")).toBeVisible();
  const reference = await paying.reference.innerText();
  await run(DATA(), "recharge", "confirm", reference, "--amount", "1200.00", "--number", `bank-${reference}`);
  await expect(paying.arrived).toBeVisible();
  await expect(new Shell(page).money).toHaveText("¥1,200.00");
});

test("what is wrong stands beside the amount, and what was typed stays", async ({ page, signedIn: _ }) => {
  const paying = new PaymentPage(page);
  await paying.open();
  await paying.amount.fill("0.5");
  await paying.begin.click();
  await expect(paying.complaint).toContainText("单笔至少 ¥1.00");
  await expect(paying.amount).toHaveValue("0.5");
  await paying.amount.fill("5");
  await paying.begin.click();
  await expect(paying.code).toBeVisible();
});
