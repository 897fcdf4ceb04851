// Saving, and who hears of it: the cart's page, whatever has become of the dialog meanwhile.
import { enqueue } from "../cart/queue.js";
import { SIGN_IN } from "../runtime/problem.js";
import { toast } from "../runtime/toasts.js";
import type { PrintOptions } from "./Model.js";
import { forgetCartInfo } from "./cartInfo.js";
import { tell } from "./news.js";

/** `next` is the page after it, where the cart is not shown. */
export async function keep(model: PrintOptions, next?: string): Promise<void> {
  const { cartID } = model;
  forgetCartInfo();
  const saving = model.save().finally(forgetCartInfo);
  // whoever opens the line again, or orders, waits for it
  enqueue(async () => (await saving) !== "failed");
  const outcome = await saving;
  if (outcome === "gone") tell("cart-gone", { cartID });
  else if (outcome !== "failed") tell("cart-saved", { cartID, isChanged: outcome === "changed" }, next);
  const problem = model.problem.peek();
  if (!problem) return;
  // an open dialog says the same beside its button
  const silent = document.querySelector("dialog[open]") !== null;
  toast(problem.text, { bad: true, silent, link: problem.signedOut ? SIGN_IN : undefined });
}
