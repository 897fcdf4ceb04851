// Every page that there is, for what is asked of each of them alike.
import { randomUUID } from "node:crypto";
import { type Page, expect } from "@playwright/test";
import { order, said, send } from "./making.js";
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
  { name: "paper-search", path: "/epaper/longjing/search?q=%E8%8C%B6%E5%9B%AD" },
  { name: "paper-search-nothing", path: "/epaper/longjing/search?q=%E8%A5%BF%E6%B9%96%E5%86%AC%E6%B3%B3&from=2026-01-01" },
  { name: "paper-section", path: "/epaper/longjing/section/%E5%89%AF%E5%88%8A" },
  { name: "paper-follow", path: "/epaper/longjing/follow" },
  { name: "magazine", path: "/magazine/shanye" },
  { name: "magazine-issue", path: "/magazine/shanye/1" },
  { name: "magazine-page", path: "/magazine/shanye/1/2" },
  { name: "magazine-article", path: "/magazine/shanye/1/a/2" },
  { name: "magazine-search", path: "/magazine/shanye/1/search?q=%E5%B1%B1" },
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
  { name: "empty-guests", path: "/manager/guests" },
  { name: "guests-new", path: "/manager/guests/new" },
  { name: "empty-yearbooks", path: "/manager/yearbook" },
  { name: "yearbook-new", path: "/manager/yearbook/new" },
  { name: "empty-cart", path: "/manager/shopping/cart" },
  { name: "empty-orders", path: "/manager/order" },
  { name: "empty-recharge", path: "/manager/recharge" },
  { name: "empty-gift-cards", path: "/manager/gift-cards" },
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
  { name: "readable-search", path: "/manager/publications/search?q=%E8%8C%B6%E5%9B%AD" },
  { name: "desk-search", path: "/manager/magazine/search?q=%E8%8C%B6&from=x" },
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
  const first = (shelf: string) => said(page, `/manager/opus_list/${shelf}`, /href="(\/manager\/opus\/[^/"?#]+)"/);
  const work = await first("all");
  const copied = await changedCopy(page, work);
  const calendar = await first("calendar");
  const photo = await said(page, "/manager/photos", /href="(\/manager\/photos\/[^/"?#]+)"/);

  const lines = [...(await (await page.request.get("/manager/shopping/cart")).text()).matchAll(/id="quantity-([^"]+)"/g)].map(([, line = ""]) => line);
  const [paid, due] = [await order(page, lines.pop() ?? ""), await order(page, lines.pop() ?? "")];
  await send(page, "/manager/shopping/pay", { order: paid });
  const line = `/manager/shopping/cart/${lines.at(-1)}`;

  const given = await giftCard(page, "50");
  const mine = await giftCard(page, "20");
  await send(page, "/manager/gift-cards/kept", { code: await said(page, mine, /gift-code num">([^<]+)/) });
  await send(page, "/manager/shopping/pay", { order: due, method: `card:${mine.split("/").pop()}` });

  const ask = `/manager/invoice/new?order=${paid}`;
  const invoice = randomUUID();
  const amount = await said(page, ask, /name="amount" value="([^"]+)"/);
  const company = { title: "new", kind: "company", name: "书坊印刷设计有限公司", code: "91350100M000100Y43", email: "accounts@example.com" };
  await send(page, ask, { invoice, order: paid, amount, ...company });
  await send(page, `/manager/invoice/${invoice}/cancellation`);

  const recharge = (method: string, amount: string) => send(page, "/manager/recharge", { request_key: randomUUID(), method, amount });
  const [code, away, transfer] = [await recharge("wechat", "100"), await recharge("alipay", "100"), await recharge("transfer", "100")];
  const arrived = await recharge("wechat", "88.5");
  await scan(arrived.split("/").pop() ?? "", true);
  const checkout = `/manager/shopping/order/${lines.at(-1)}`;

  return [
    { name: "make", path: "/manager/make_ebook" },
    { name: "photos", path: "/manager/photos" },
    { name: "photo", path: photo },
    { name: "works", path: "/manager/opus_list/all" },
    { name: "work", path: work },
    ...(calendar ? [{ name: "calendar", path: calendar }, { name: "calendar-months", path: `${calendar}/calendar` }] : []),
    { name: "setting", path: work.replace("/opus/", "/opus_setting/") },
    { name: "design", path: `${work}/page/2` },
    { name: "page-photos", path: `${work}/page/2/photos` },
    { name: "pages", path: `${work}/pages` },
    { name: "format", path: `${work}/format` },
    { name: "format-proposed", path: `${work}/format?to=a5-portrait` },
    { name: "work-changed", path: copied },
    { name: "versions", path: `${copied}/revisions` },
    { name: "version", path: `${copied}/revisions/1` },
    { name: "version-kept", path: `${copied}/revisions/-1` },
    { name: "comparison", path: `${copied}/comparison?before=1&after=3` },
    { name: "trash", path: "/manager/opus_list/trash" },
    { name: "found", path: "/manager/opus_list/all?q=%E5%89%AF%E6%9C%AC&sort=title" },
    { name: "goods", path: work.replace("/opus/", "/add_shopping/") },
    { name: "options", path: `${line}/options` },
    { name: "cart", path: "/manager/shopping/cart" },
    { name: "proof", path: `${line}/proof` },
    { name: "checkout", path: checkout },
    { name: "checkout-new-address", path: `${checkout}?address=new` },
    { name: "pay", path: `/manager/shopping/pay?order=${due}` },
    { name: "pay-paid", path: `/manager/shopping/pay?order=${paid}` },
    { name: "success", path: `/manager/shopping/success?order=${paid}` },
    { name: "gift-cards", path: "/manager/gift-cards" },
    { name: "gift-card-given", path: given },
    { name: "gift-card-mine", path: mine },
    { name: "recharge", path: "/manager/recharge" },
    { name: "payment-code", path: code },
    { name: "payment-away", path: away },
    { name: "payment-transfer", path: transfer },
    { name: "payment-arrived", path: arrived },
    { name: "orders", path: "/manager/order" },
    { name: "order", path: `/manager/order/${paid}` },
    { name: "order-due", path: `/manager/order/${due}` },
    { name: "invoices", path: "/manager/invoice" },
    { name: "invoice-new", path: ask },
    { name: "invoice", path: `/manager/invoice/${invoice}` },
    { name: "invoice-titles", path: "/manager/invoice/titles" },
    { name: "not-found", path: "/manager/nowhere" },
  ];
}

/** Buys a gift card from the balance, to be printed; answers its page. */
async function giftCard(page: Page, amount: string): Promise<string> {
  const own = await send(page, "/manager/gift-cards", { card: randomUUID(), amount, way: "card", giver: "小雨" });
  await send(page, own);
  return own;
}

/** Copies a work twice: one copy goes into the trash, the other one is changed. Answers the latter. */
async function changedCopy(page: Page, work: string): Promise<string> {
  const copy = async () => (await send(page, `${work}/copy`, { copy: randomUUID() })).replace(/.*copied=/, "/manager/opus/");
  const [address, trashed] = [await copy(), await copy()];
  await send(page, `${trashed}/trash`);
  const caption = await said(page, address, /name="(text-[^"]+)"/);
  await send(page, `${address}/texts`, { revision: "1", title: "换了书名的副本", [caption]: "那天的风很大，我们和海鸥都不肯走。" });
  const late = await page.request.post(`${address}/texts`, { form: { revision: "1", title: "晚了一步的书名" }, maxRedirects: 0 });
  expect(late.status(), "it is kept beside the line").toBe(409);
  await send(page, `${address}/format`, { revision: "2", to: "a4-portrait" });
  return address;
}
