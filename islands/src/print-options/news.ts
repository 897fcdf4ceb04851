// What the dialog tells the page. The dialog itself may be closed by then.

interface News {
  cartID: string;
  /** Something was changed while the line was saved. */
  isChanged?: boolean;
}

/** `cart-saved`: the line holds something new; `cart-gone`: it is in the cart no more. */
export function tell(what: "cart-saved" | "cart-gone", detail: News): void {
  document.dispatchEvent(new CustomEvent(what, { detail }));
}
