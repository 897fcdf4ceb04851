// What the dialog tells the page. The dialog itself may be closed by then.

interface News {
  cartID: string;
  /** Something was changed while the line was saved. */
  isChanged?: boolean;
}

const CART = "/manager/shopping/cart";

/**
 * `cart-saved`: the line holds something new; `cart-gone`: it is in the cart no more. Where nobody listens, the cart is next,
 * or what was asked for.
 */
export function tell(what: "cart-saved" | "cart-gone", detail: News, next = CART): void {
  const isHeard = !document.dispatchEvent(new CustomEvent(what, { detail, cancelable: true }));
  if (!isHeard && !detail.isChanged) location.assign(next);
}
