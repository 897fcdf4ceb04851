// 印刷选项: the print options of a cart line (specification section 2).
import "../runtime/base.js";
import type { ReactElement } from "react";
import type { PrintOptionsProps } from "../generated/cart.js";
import { HttpError } from "../runtime/http/error.js";
import { complain } from "../runtime/problem.js";
import { PrintOptions } from "./PrintOptions.js";
import { cartInfo } from "./cartInfo.js";
import { tell } from "./news.js";

/** Draws the dialog's content once the line is there; without it the plain form stays. */
export default async function draw({ cartID }: PrintOptionsProps, host: HTMLElement): Promise<ReactElement | undefined> {
  try {
    return <PrintOptions info={await cartInfo(cartID)} cartID={cartID} host={host} />;
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) tell("cart-gone", { cartID });
    else complain(error);
    return undefined;
  }
}
