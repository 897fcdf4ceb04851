// 印刷选项 in a dialog: the complete form at once, and the island in its place as soon as it is there.
import { whenIdle } from "../runtime/idle.js";
import { isFrugal } from "../runtime/frugal.js";
import { preload } from "../runtime/registry.js";
import { flush, typedNumber } from "./forms.js";
import { loadSwap } from "./later.js";
import { enqueue } from "./queue.js";

const ISLAND = "print-options";

/** What the island tells of a line: it was saved, or it is in the cart no more. */
interface News {
  cartID: string;
  /** Something was changed while it was saved. */
  isChanged: boolean;
}

/** A second tap of one finger: as soon after the first, in milliseconds, and as near to it, in pixels. */
const TAP = { time: 350, reach: 40 };

export function watchLinks(): void {
  document.addEventListener("click", (event) => {
    const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    const id = idAt(event);
    if (plain && id && !event.defaultPrevented && open(id, event)) event.preventDefault();
  });
  for (const type of ["pointerover", "focusin", "touchstart"]) {
    document.addEventListener(type, (event) => expect(idAt(event)), { passive: true });
  }
  for (const type of ["cart-saved", "cart-gone"]) {
    document.addEventListener(type, (event) => {
      event.preventDefault();
      const { cartID, isChanged } = (event as CustomEvent<News>).detail;
      if (!isChanged) document.querySelector<HTMLDialogElement>(`dialog[data-line="${CSS.escape(cartID)}"]`)?.close();
      enqueue(async () => {
        const swap = await loadSwap().catch(() => undefined);
        if (swap) return type === "cart-saved" ? swap.showSaved() : swap.showGone();
        location.reload();
        return false;
      });
    });
  }
  // what was asked for before is of an older cart
  document.addEventListener("cart-shown", () => (expected = ""));
  addEventListener("load", () => {
    if (isFrugal() || !document.querySelector("[data-options]")) return;
    whenIdle(() => {
      preload(ISLAND);
      void loadSwap();
    });
  });
}

const idAt = ({ target }: Event) => (target as Element).closest<HTMLElement>("a[data-options]")?.dataset.options;

let expected = "";

/** Loads what the dialog of a line needs, once for each line that is pointed at. */
function expect(id: string | undefined): void {
  if (!id || id === expected) return;
  expected = id;
  preload(ISLAND);
  void loadSwap().then((swap) => swap?.expectCartInfo(id));
}

/** Opens the dialog of a line; false where the page has no form for it. */
function open(id: string, opening: MouseEvent): boolean {
  const form = document.querySelector<HTMLTemplateElement>(`template[data-options-of="${CSS.escape(id)}"]`);
  if (!form) return false;
  const dialog = document.createElement("dialog");
  dialog.className = "panel";
  dialog.dataset.line = id;
  dialog.setAttribute("aria-labelledby", "options-title");
  dialog.innerHTML = `<header><h2 id="options-title" tabindex="-1" autofocus>印刷选项</h2><button type="button" class="button">关闭</button></header>`;
  dialog.append(document.importNode(form.content, true));
  const amount = `amount-${id}`;
  const quantity = dialog.querySelector<HTMLInputElement>("[name=quantity]");
  if (quantity) quantity.value = typedNumber(amount) ?? quantity.value;
  flush(amount);
  ignoreSecondTap(dialog, opening);
  dialog.querySelector("button")?.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    expected = "";
    // the link that opened it may have been written anew meanwhile
    if (document.activeElement === document.body) {
      document.querySelector<HTMLElement>(`a[data-options="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
    }
  });
  document.body.append(dialog);
  dialog.showModal();
  return true;
}

/** A double tap on the link must not press what the dialog has put under the finger. */
function ignoreSecondTap(dialog: HTMLElement, opening: MouseEvent): void {
  let isBegun = false;
  dialog.addEventListener(
    "click",
    (event) => {
      const distance = Math.hypot(event.clientX - opening.clientX, event.clientY - opening.clientY);
      const isSecond = event.timeStamp - opening.timeStamp < TAP.time && distance < TAP.reach;
      // a detail above 1 goes on with presses that began on the link, until one begins in here
      isBegun ||= event.detail < 2;
      if (isBegun && !isSecond) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
}
