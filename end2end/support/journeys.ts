// The first half of several journeys: somebody with a book in the cart.
import type { Page } from "@playwright/test";
import { CartPage } from "../pages/CartPage.js";
import { GoodsPage } from "../pages/GoodsPage.js";
import { MakePage } from "../pages/MakePage.js";
import { WorkPage } from "../pages/WorkPage.js";
import { photos } from "./photos.js";

/** A square album in the cart. */
export async function bookInCart(page: Page, title: string): Promise<void> {
  await new MakePage(page).make(title, photos().slice(0, 3));
  await new WorkPage(page).print.click();
  await new GoodsPage(page).choose("方形画册");
}

/** The same, taken to the page that confirms the order. */
export async function bookAtCheckout(page: Page, title: string): Promise<void> {
  await bookInCart(page, title);
  const cart = new CartPage(page);
  await cart.open();
  await cart.checkOut.click();
}

/** One album three times in the cart, and nothing else. */
export async function threeInCart(page: Page, title: string): Promise<void> {
  await bookInCart(page, title);
  await page.goto("/manager/opus_list/all");
  const work = await page.getByRole("link", { name: title }).getAttribute("href");
  for (let line = 2; line <= 3; line += 1) {
    await page.goto(work ?? "");
    await new WorkPage(page).print.click();
    await new GoodsPage(page).choose("方形画册");
  }
}
