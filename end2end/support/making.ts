// What a journey begins with and is not about: books, lines of the cart, orders and payments, made by the forms that stand on
// the pages, sent as a browser without scripts sends them.
import { randomUUID } from "node:crypto";
import { type APIResponse, type Page, expect } from "@playwright/test";
import { type File as Photo, photos } from "./photos.js";

/** Where a form leads. */
async function leads(answer: APIResponse): Promise<string> {
  expect(answer.status(), answer.url()).toBe(303);
  return answer.headers()["location"] ?? "";
}

/** Sends a form; answers where it leads. */
export const send = async (page: Page, address: string, form: Record<string, string> = {}) => leads(await page.request.post(address, { form, maxRedirects: 0 }));

/** What a page says between two marks. */
export async function said(page: Page, address: string, mark: RegExp): Promise<string> {
  return mark.exec(await (await page.request.get(address)).text())?.[1] ?? "";
}

async function made(page: Page, words: Record<string, string>, photos: Photo[] = []): Promise<string> {
  const form = new FormData();
  const fields = { format: "square-210", theme: "calm", author: "", dates: "1", ...words };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const { name, buffer, mimeType } of photos) form.append("photos", new File([new Uint8Array(buffer)], name, { type: mimeType }));
  return leads(await page.request.post("/manager/make_ebook", { multipart: form, maxRedirects: 0 }));
}

/** A square album of some photos; answers its address. */
export const album = (page: Page, title: string, count: number) => albumOf(page, title, photos().slice(0, count));

/** The same of these. */
export const albumOf = (page: Page, title: string, files: Photo[]) => made(page, { title }, files);

/** Puts photos into the library. */
export async function upload(page: Page, files: Photo[]): Promise<void> {
  const form = new FormData();
  for (const { name, buffer, mimeType } of files) form.append("photos", new File([new Uint8Array(buffer)], name, { type: mimeType }));
  await leads(await page.request.post("/manager/photos", { multipart: form, maxRedirects: 0 }));
}

/** A blank square album. */
export const blank = (page: Page, title: string) => made(page, { title, blank: "1" });

/** A work's id, by its address. */
export const idOf = (work: string) => work.split("/").pop() ?? "";

/** A blank work that everybody may read, and where. */
export async function sharedWork(page: Page, title: string): Promise<string> {
  const id = idOf(await blank(page, title));
  const settings = { visibility: "public", direction: "left", title, description: "", ends_on: "", card_page: "0", embed_sites: "" };
  await send(page, `/manager/opus_share_edit/${id}`, { ...settings, act: "publish" });
  return `/read/${id}`;
}

/** Shows so little of a work's first photo that it prints coarsely. */
export async function coarse(page: Page, work: string): Promise<void> {
  const workID = idOf(work);
  const { data } = await (await page.request.get(`/works/document?workID=${workID}`)).json();
  const pages: { id: string; elements: { id: string; kind: string }[] }[] = data.document.pages;
  const place = pages.flatMap(({ id, elements }) => elements.filter(({ kind }) => kind === "photo").map((photo) => ({ page: id, element: photo.id })))[0];
  const crop = { x: 0, y: 0, width: 0.1, height: 0.1 };
  const operations = JSON.stringify([{ id: randomUUID(), op: "set", ...place, name: "crop", value: crop }]);
  const answer = await page.request.post("/works/edit", { form: { workID, base: String(data.revision), operations } });
  expect(answer.status(), await answer.text()).toBe(200);
}

/** A line of the cart for a square album. */
export async function lineOf(page: Page, work: string): Promise<string> {
  const line = randomUUID();
  await send(page, `/manager/add_shopping/${idOf(work)}`, { line, goods: "album-210" });
  return line;
}

/** A square album in the cart; answers its line. */
export const bookInCart = async (page: Page, title: string) => lineOf(page, await album(page, title, 3));

/** One album three times in the cart, and nothing else. */
export async function threeInCart(page: Page, title: string): Promise<void> {
  const work = await album(page, title, 3);
  for (let lines = 1; lines <= 3; lines += 1) await lineOf(page, work);
}

/** A line of the cart with a new address; answers the page that orders it. */
async function checkout(page: Page, line: string): Promise<string> {
  const address = { receiver: "林知夏", phone: "13800138000", province: "浙江省", city: "杭州市", district: "西湖区", street: "龙井路 18 号" };
  return send(page, `/manager/shopping/order/${line}`, { address: "new", ...address });
}

/** An album whose order has but to be placed; ends on the page that does it. */
export async function bookAtCheckout(page: Page, title: string): Promise<void> {
  await page.goto(await checkout(page, await bookInCart(page, title)));
}

/** Orders a line of the cart; answers the order's number. */
export async function order(page: Page, line: string): Promise<string> {
  const place = await checkout(page, line);
  const total = await said(page, place, /name="total" value="([^"]+)"/);
  const address = place.split("address=").pop() ?? "";
  // a long title does not fit: it is printed as it is
  const decided = await said(page, place, /name="decided" value="([^"]+)"/);
  const pay = await send(page, `/manager/shopping/order/${line}`, { request_key: randomUUID(), address, total, ...(decided && { decided }) });
  return pay.split("order=").pop() ?? "";
}

/** An order for a square album; answers the page that asks for the money. */
export const placedOrder = async (page: Page, title: string) => `/manager/shopping/pay?order=${await order(page, await bookInCart(page, title))}`;

/** The same, paid from the balance; answers the order's page. */
export async function paidOrder(page: Page, title: string): Promise<string> {
  const number = await order(page, await bookInCart(page, title));
  await send(page, "/manager/shopping/pay", { order: number });
  return `/manager/order/${number}`;
}
