// Every page that there is, for what is asked of each of them alike.
import { type Page, expect } from "@playwright/test";
import { CartPage } from "../pages/CartPage.js";
import { CheckoutPage } from "../pages/CheckoutPage.js";
import { InvoicePage, NewInvoicePage } from "../pages/InvoicePages.js";
import { PayPage } from "../pages/PayPage.js";
import { PaymentPage } from "../pages/PaymentPage.js";
import { ShelfPage } from "../pages/ShelfPage.js";
import { WorkPage } from "../pages/WorkPage.js";
import { scan } from "./ways.js";

export interface Stop {
  /** A short name, fit for a file. */
  name: string;
  path: string;
}

/** The pages for everybody. */
export const ABOUT: Stop[] = [
  { name: "about", path: "/about" },
  { name: "about-products", path: "/about/products" },
  { name: "about-prices", path: "/about/prices" },
  { name: "about-photos", path: "/about/photos" },
  { name: "about-faq", path: "/about/faq" },
  { name: "about-privacy", path: "/about/privacy" },
  { name: "about-contact", path: "/about/contact" },
];

/** Pages for which nobody needs to be signed in. */
export const OUTSIDE: Stop[] = [
  ...ABOUT,
  { name: "about-nowhere", path: "/about/nowhere" },
  { name: "login", path: "/manager/login" },
  { name: "registration", path: "/manager/login?way=registration" },
  { name: "recovery", path: "/manager/login?way=recovery" },
  { name: "error", path: "/error" },
  { name: "paper", path: "/epaper/longjing" },
  { name: "magazine", path: "/magazine/shanye" },
  { name: "magazine-issue", path: "/magazine/shanye/1" },
  { name: "magazine-page", path: "/magazine/shanye/1/2" },
  { name: "magazine-article", path: "/magazine/shanye/1/a/2" },
];

/** Pages of a member who has nothing yet. */
export const EMPTY: Stop[] = [
  { name: "empty-works", path: "/manager/opus_list/all" },
  { name: "empty-trash", path: "/manager/opus_list/trash" },
  { name: "empty-kind", path: "/manager/opus_list/calendar" },
  { name: "document", path: "/manager/opus-document" },
  { name: "make-calendar", path: "/manager/opus-doc-calendar" },
  { name: "import", path: "/manager/opus_import" },
  { name: "empty-photos", path: "/manager/photos" },
  { name: "empty-cart", path: "/manager/shopping/cart" },
  { name: "empty-orders", path: "/manager/order" },
  { name: "empty-recharge", path: "/manager/recharge" },
  { name: "password", path: "/manager/userInfo/password" },
  { name: "contact", path: "/manager/userInfo/contact" },
  { name: "second-factor", path: "/manager/userInfo/second_factor" },
  { name: "sign-ins", path: "/manager/userInfo/signins" },
  { name: "empty-profile", path: "/manager/userInfo" },
  { name: "empty-addresses", path: "/manager/userInfo/addresses" },
  { name: "empty-invoices", path: "/manager/invoice" },
  { name: "empty-study", path: "/manager/book-study" },
  { name: "empty-magazine", path: "/manager/magazine" },
  { name: "magazine-new", path: "/manager/magazine/new" },
  { name: "empty-notes", path: "/manager/book-study/notes" },
  { name: "empty-shelves", path: "/manager/book-shelf" },
  { name: "shelf-new", path: "/manager/book-shelf/new" },
  { name: "empty-titles", path: "/manager/invoice/titles" },
  { name: "title-new", path: "/manager/invoice/titles/new" },
  { name: "address-new", path: "/manager/userInfo/addresses/new" },
];

/**
 * The pages of the member signed in on `page`, who must have a work, three lines in the cart and the money for one
 * of them. On the way one line is ordered and paid, and one is ordered only; a copy of the work is changed twice at
 * once and gets another page size, and another copy goes into the trash.
 */
export async function inside(page: Page): Promise<Stop[]> {
  const main = page.getByRole("main");
  const target = async (text: string) => (await main.getByRole("link", { name: text }).first().getAttribute("href")) ?? "";
  const here = () => page.url().replace(/^https?:\/\/[^/]+/, "");

  const shelf = new ShelfPage(page);
  await shelf.open();
  const work = (await shelf.works.first().getByRole("link").getAttribute("href")) ?? "";
  const copied = await changedCopy(page);
  await page.goto(`${work}/format`);
  const proposed = (await main.locator(".sizes").getByRole("link").first().getAttribute("href")) ?? "";
  await page.goto(work);
  const goods = await target("选择印刷方式");
  await page.goto("/manager/opus_list/calendar");
  const calendar = shelf.works.first().getByRole("link");
  const months = (await calendar.count()) > 0 ? [`${await calendar.first().getAttribute("href")}`] : [];

  await page.goto("/manager/photos");
  const photo = (await main.getByRole("figure").first().getByRole("link").getAttribute("href")) ?? "";

  const paying = new PayPage(page);
  await orderLast(page);
  const paid = here();
  await paying.pay.click();
  await expect(paying.done).toBeVisible();
  const success = here();
  const order = await target("查看订单");
  const number = order.split("/").pop() ?? "";
  const asking = new NewInvoicePage(page);
  const ask = `/manager/invoice/new?order=${number}`;
  await page.goto(ask);
  await asking.fillCompany("书坊印刷设计有限公司", "91350100M000100Y43");
  await asking.email.fill("accounts@example.com");
  await asking.submit.click();
  const invoice = new InvoicePage(page);
  await expect(invoice.said).toBeVisible();
  const invoiced = here();
  await invoice.cancel();
  await expect(invoice.again).toBeVisible();
  await orderLast(page);
  const due = here();
  const payment = new PaymentPage(page);
  const payments: string[] = [];
  for (const way of ["微信支付", "支付宝", "对公转账"]) {
    await payment.recharge(way, "100");
    payments.push(here());
  }
  const [code = "", away = "", transfer = ""] = payments;
  await payment.recharge("微信支付", "88.5");
  const arrived = here();
  const { number: arriving } = payment;
  // the page would be loaded again while the tour goes on
  await payment.open();
  await scan(arriving, true);

  const cart = new CartPage(page);
  await cart.open();
  // what was left out of an order stays left out
  await cart.lines.last().getByRole("checkbox").check();
  const options = await target("改印刷选项");
  const proof = await target("看样");
  await cart.checkOut.click();
  await expect(new CheckoutPage(page).heading).toBeVisible();
  const checkout = here();

  return [
    { name: "make", path: "/manager/make_ebook" },
    { name: "photos", path: "/manager/photos" },
    { name: "photo", path: photo },
    { name: "works", path: "/manager/opus_list/all" },
    { name: "work", path: work },
    ...months.flatMap((path) => [
      { name: "calendar", path },
      { name: "calendar-months", path: `${path}/calendar` },
    ]),
    { name: "setting", path: work.replace("/opus/", "/opus_setting/") },
    { name: "design", path: `${work}/page/2` },
    { name: "page-photos", path: `${work}/page/2/photos` },
    { name: "pages", path: `${work}/pages` },
    { name: "format", path: `${work}/format` },
    { name: "format-proposed", path: proposed },
    { name: "work-changed", path: copied },
    { name: "versions", path: `${copied}/revisions` },
    { name: "version", path: `${copied}/revisions/1` },
    { name: "version-kept", path: `${copied}/revisions/-1` },
    { name: "comparison", path: `${copied}/comparison?before=1&after=3` },
    { name: "trash", path: "/manager/opus_list/trash" },
    { name: "found", path: "/manager/opus_list/all?q=%E5%89%AF%E6%9C%AC&sort=title" },
    { name: "goods", path: goods },
    { name: "options", path: options },
    { name: "cart", path: "/manager/shopping/cart" },
    { name: "proof", path: proof },
    { name: "checkout", path: checkout },
    { name: "checkout-new-address", path: `${checkout}?address=new` },
    { name: "pay", path: due },
    { name: "pay-paid", path: paid },
    { name: "success", path: success },
    { name: "recharge", path: "/manager/recharge" },
    { name: "payment-code", path: code },
    { name: "payment-away", path: away },
    { name: "payment-transfer", path: transfer },
    { name: "payment-arrived", path: arrived },
    { name: "orders", path: "/manager/order" },
    { name: "order", path: order },
    { name: "order-due", path: due.replace("/shopping/pay?order=", "/order/") },
    { name: "invoices", path: "/manager/invoice" },
    { name: "invoice-new", path: ask },
    { name: "invoice", path: invoiced },
    { name: "invoice-titles", path: "/manager/invoice/titles" },
    { name: "not-found", path: "/manager/nowhere" },
  ];
}

/** Copies the shelf's first work twice: one copy goes into the trash, the other one is changed. Ends on the latter. */
async function changedCopy(page: Page): Promise<string> {
  const shelf = new ShelfPage(page);
  await shelf.works.first().getByText("更多").click();
  await shelf.works.first().getByRole("button", { name: "复制" }).click();
  await shelf.works.first().getByText("更多").click();
  await shelf.works.first().getByRole("button", { name: "复制" }).click();
  await shelf.works.first().getByText("更多").click();
  await shelf.works.first().getByRole("button", { name: "移到回收站" }).click();
  await shelf.works.first().getByRole("link").first().click();
  const copied = page.url().replace(/^https?:\/\/[^/]+/, "");
  const work = new WorkPage(page);
  const stale = await page.context().newPage();
  await stale.goto(page.url());
  await work.title.fill("换了书名的副本");
  await work.captions.first().fill("那天的风很大，我们和海鸥都不肯走。");
  await work.save.click();
  await expect(work.said).toContainText("已保存");
  const late = new WorkPage(stale);
  await late.title.fill("晚了一步的书名");
  await late.save.click();
  await expect(late.complaint).toBeVisible();
  await stale.close();
  await work.more();
  await page.getByRole("main").getByRole("link", { name: "换开本" }).click();
  await page.getByRole("main").locator(".sizes").getByRole("link").last().click();
  await page.getByRole("button", { name: /^换成/ }).click();
  await expect(work.said).toContainText("开本已换成");
  return copied;
}

/** Orders the cart's last line; ends on the page that asks for the money. */
export async function orderLast(page: Page): Promise<void> {
  const cart = new CartPage(page);
  await cart.open();
  for (const line of (await cart.lines.all()).slice(0, -1)) await line.getByRole("checkbox").uncheck();
  await cart.lines.last().getByRole("checkbox").check();
  await cart.checkOut.click();
  const checkout = new CheckoutPage(page);
  await expect(checkout.heading).toBeVisible();
  if (await checkout.saveAddress.isVisible()) await checkout.addAddress();
  await checkout.place.click();
  await expect(new PayPage(page).heading).toBeAttached();
}
