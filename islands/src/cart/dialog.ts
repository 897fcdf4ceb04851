// 印刷选项 in a dialog: the complete form at once, and the island in its place as soon as it is there.
import { whenIdle } from "../runtime/element.js";
import { isFrugal } from "../runtime/frugal.js";
import { preload } from "../runtime/registry.js";
import { loadSwap } from "./later.js";

const ISLAND = "print-options";

export function watchLinks(): void {
  document.addEventListener("click", (event) => {
    const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    const id = idAt(event);
    if (plain && id && !event.defaultPrevented && open(id)) event.preventDefault();
  });
  for (const type of ["pointerover", "focusin", "touchstart"]) {
    document.addEventListener(type, (event) => expect(idAt(event)), { passive: true });
  }
  document.addEventListener("cart-saved", (event) => {
    (event.target as Element).closest("dialog")?.close();
    const reload = () => location.reload();
    loadSwap().then((swap) => (swap ? swap.showSaved() : reload()), reload);
  });
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
function open(id: string): boolean {
  const form = document.querySelector<HTMLTemplateElement>(`template[data-options-of="${CSS.escape(id)}"]`);
  if (!form) return false;
  const dialog = document.createElement("dialog");
  dialog.className = "panel";
  dialog.setAttribute("aria-labelledby", "options-title");
  dialog.innerHTML = `<header>
    <h2 id="options-title" tabindex="-1" autofocus>印刷选项</h2>
    <button type="button" class="button">关闭</button>
  </header>`;
  dialog.append(document.importNode(form.content, true));
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
