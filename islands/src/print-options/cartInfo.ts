// What the dialog shows, asked for before it opens when it is likely to.
import type { CartInfo } from "../generated/cart.js";
import { settled } from "../cart/queue.js";
import { objectOf } from "../runtime/http/answer.js";
import { forms } from "../runtime/http/clients.js";

/** How long an early answer is good for, in milliseconds. */
const FRESH = 20_000;

let early: { cartID: string; at: number; info: Promise<CartInfo>; end: AbortController } | undefined;

/** Asks for a line that may soon be opened. A failure shows when it is. */
export function expectCartInfo(cartID: string): void {
  if (early?.cartID === cartID && Date.now() - early.at < FRESH) return;
  forgetCartInfo();
  const end = new AbortController();
  const asked = { cartID, at: Date.now(), info: ask(cartID, end.signal), end };
  asked.info.catch(() => {
    if (early === asked) early = undefined;
  });
  early = asked;
}

/** Forgets an early answer: the cart has changed. Nobody may join its request, either. */
export function forgetCartInfo(): void {
  early?.end.abort();
  early = undefined;
}

/** The cart line as it is kept, with every change that is on its way. */
export async function cartInfo(cartID: string): Promise<CartInfo> {
  await settled();
  const expected = early;
  early = undefined;
  return expected?.cartID === cartID && Date.now() - expected.at < FRESH ? expected.info : ask(cartID);
}

async function ask(cartID: string, signal?: AbortSignal): Promise<CartInfo> {
  const { data } = objectOf(await forms.get("/cart/cartInfo", { cartID }, { signal })) as { data: { data: CartInfo } };
  return data.data;
}
