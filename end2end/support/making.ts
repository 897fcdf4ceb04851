// What a journey begins with and is not about: books, lines of the cart and addresses, made by the forms that stand on the
// pages, sent as a browser without scripts sends them.
import { type APIResponse, type Page, expect } from "@playwright/test";
import { type File as Photo, photos } from "./photos.js";

/** Where a form leads. */
async function leads(answer: Promise<APIResponse>): Promise<string> {
  const answered = await answer;
  expect(answered.status(), answered.url()).toBe(303);
  return answered.headers()["location"] ?? "";
}

const post = (page: Page, address: string, form: Record<string, string>) => leads(page.request.post(address, { form, maxRedirects: 0 }));

async function made(page: Page, words: Record<string, string>, photos: Photo[] = []): Promise<string> {
  const form = new FormData();
  const fields = { format: "square-210", theme: "calm", author: "", dates: "1", ...words };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const { name, buffer, mimeType } of photos) form.append("photos", new File([new Uint8Array(buffer)], name, { type: mimeType }));
  return leads(page.request.post("/manager/make_ebook", { multipart: form, maxRedirects: 0 }));
}

/** A square album of some photos; answers its address. */
export const album = (page: Page, title: string, count: number) => made(page, { title }, photos().slice(0, count));

/** A blank album, square where nothing else is said. */
export const blank = (page: Page, title: string, format = "square-210") => made(page, { title, format, blank: "1" });

/** A work's id, by its address. */
export const idOf = (work: string) => work.split("/").pop() ?? "";

/** Lets everybody read a work; answers where. */
export async function share(page: Page, work: string, title: string): Promise<string> {
  const id = idOf(work);
  const settings = { visibility: "public", direction: "left", title, description: "", ends_on: "", card_page: "0", embed_sites: "" };
  await post(page, `/manager/opus_share_edit/${id}`, { ...settings, act: "publish" });
  return `/read/${id}`;
}

/** A blank work that everybody may read, and where. */
export const sharedWork = async (page: Page, title: string) => share(page, await blank(page, title), title);

/** A line of the cart for a square album. */
async function line(page: Page, work: string): Promise<string> {
  const address = `/manager/add_shopping/${idOf(work)}`;
  const form = await (await page.request.get(address)).text();
  const id = /name="line" value="([^"]+)"/.exec(form)?.[1] ?? "";
  await post(page, address, { line: id, goods: "album-210" });
  return id;
}

/** A square album in the cart; answers its line. */
export const bookInCart = async (page: Page, title: string) => line(page, await album(page, title, 3));

/** One album three times in the cart, and nothing else. */
export async function threeInCart(page: Page, title: string): Promise<void> {
  const work = await album(page, title, 3);
  for (let lines = 1; lines <= 3; lines += 1) await line(page, work);
}

/** A square album whose order has but to be placed, to an address that is kept; answers the page that does it. */
async function checkout(page: Page, title: string): Promise<string> {
  const address = { receiver: "林知夏", phone: "13800138000", province: "浙江省", city: "杭州市", district: "西湖区", street: "龙井路 18 号" };
  return post(page, `/manager/shopping/order/${await bookInCart(page, title)}`, { address: "new", ...address });
}

/** The same; ends on that page. */
export async function bookAtCheckout(page: Page, title: string): Promise<void> {
  await page.goto(await checkout(page, title));
}

/** An order for a square album; answers the page that asks for the money. */
export async function placedOrder(page: Page, title: string): Promise<string> {
  const address = await checkout(page, title);
  const form = await (await page.request.get(address)).text();
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(form)?.[1] ?? "";
  const fields = { request_key: field("request_key"), total: field("total"), address: new URL(address, "http://desk").searchParams.get("address") ?? "" };
  return post(page, address.split("?")[0] ?? "", fields);
}

/** The same, paid from the balance; answers the order's page. */
export async function paidOrder(page: Page, title: string): Promise<string> {
  const order = (await placedOrder(page, title)).split("order=").pop() ?? "";
  await post(page, "/manager/shopping/pay", { order });
  return `/manager/order/${order}`;
}
