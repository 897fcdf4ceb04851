// The cart: sums that follow the boxes, changes without leaving the page, print options in a dialog.
import { watchLinks } from "./cart/dialog.js";
import { adoptNumbers, hideButtons, watchForms } from "./cart/forms.js";
import { showSelection, watchSelection } from "./cart/selection.js";
import "./runtime/element.js";

function show(): void {
  // see [data-alone] in cart.css
  for (const cart of document.querySelectorAll<HTMLElement>("[data-cart]")) cart.dataset.taken = "";
  adoptNumbers();
  hideButtons();
  showSelection();
}

watchSelection();
watchForms();
watchLinks();
show();
document.addEventListener("cart-shown", show);
// the back button may bring boxes back as they were
addEventListener("pageshow", show);
