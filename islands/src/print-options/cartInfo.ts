// What the dialog shows, asked for before it opens when it is likely to.
import type { CartInfo } from "../generated/cart.js";
import { objectOf } from "../runtime/http/answer.js";
import { forms } from "../runtime/http/clients.js";

/** How long an early answer is good for, in milliseconds. */
const FRESH = 20_000;

let early: { cartID: string; at: number; info: Promise<CartInfo> } | undefined;

/** Asks for a line that may soon be opened. A failure shows when it is. */
export function expectCartInfo(cartID: string): void {
  if (early?.cartID === cartID && Date.now() - early.at < FRESH) return;
  const info = ask(cartID);
  info.catch(() => (early = undefined));
  early = { cartID, at: Date.now(), info };
}

/** Forgets an early answer: the cart has changed. */
export function forgetCartInfo(): void {
  early = undefined;
}

/** The cart line as it is kept. */
export function cartInfo(cartID: string): Promise<CartInfo> {
  const expected = early;
  early = undefined;
  return expected?.cartID === cartID && Date.now() - expected.at < FRESH ? expected.info : ask(cartID);
}

async function ask(cartID: string): Promise<CartInfo> {
  const { data } = objectOf(await forms.get("/cart/cartInfo", { cartID })) as { data: { data: CartInfo } };
  return data.data;
}
