import { lazy } from "../runtime/lazy.js";

/** The part of the cart that talks to the server: needed with the first change, and not to show the page. */
export const loadSwap = lazy("cart", () => import("./swap.js"));
