// Which lines of the cart are ordered: their sum follows the boxes, and what was left out stays left out.
import { grouped } from "../runtime/money.js";
import { follow, read, write } from "../runtime/storage.js";

/** The lines left out, by id. */
const KEPT = "cart";

const boxes = () => [...document.querySelectorAll<HTMLInputElement>("[data-cart] input[name=line]")];

export function watchSelection(): void {
  follow(KEPT, showSelection);
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !boxes().includes(target)) return;
    write(KEPT, boxes().filter((box) => !box.checked && !box.disabled).map((box) => box.value));
    showSum();
  });
}

/** Brings a cart that the server has just written to what is kept here. */
export function showSelection(): void {
  const kept = read(KEPT);
  const without = Array.isArray(kept) ? kept : [];
  for (const box of boxes()) box.checked = !box.disabled && !without.includes(box.value);
  const recount = document.querySelector<HTMLElement>("[data-recount]");
  if (recount) recount.hidden = true;
  showSum();
}

function showSum(): void {
  const chosen = boxes().filter((box) => box.checked);
  const count = document.querySelector("[data-cart] [data-count]");
  const money = document.querySelector("[data-cart] [data-sum] .money");
  const order = document.querySelector<HTMLButtonElement>("[data-cart] .actionbar .primary");
  if (!count || !money || !order) return;
  const sum = chosen.reduce((sum, box) => sum + Number(box.dataset.fen), 0);
  count.parentElement?.setAttribute("aria-live", "polite");
  count.textContent = String(chosen.length);
  money.replaceChildren(...[...money.children], grouped(sum));
  order.disabled = chosen.length === 0;
}
