// The order of a shelf by hand: each book gets a grip, which is pulled, or moved with the arrow keys. The buttons beside it
// do the same without this.
import { order, over } from "./shelves/order.js";
import { toast } from "./runtime/toasts.js";

const list = document.querySelector<HTMLElement>("[data-arrange]");
const form = list?.closest("form");
if (list && form) begin(list, form);

function begin(list: HTMLElement, form: HTMLFormElement): void {
  const items = () => [...list.children] as HTMLElement[];
  const live = Object.assign(document.createElement("p"), { className: "sr" });
  live.setAttribute("role", "status");
  form.after(live);

  let saved = order(items());
  let saving: ReturnType<typeof setTimeout> | undefined;
  const save = async () => {
    const now = order(items());
    if (now.join() === saved.join()) return;
    const body = new URLSearchParams(now.map((item) => ["order", item]));
    try {
      const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" });
      if (answer.status !== 204) throw new Error("not saved");
      saved = now;
    } catch {
      // as it was, so that what is seen is what is kept
      for (const value of saved) {
        const item = items().find(({ dataset }) => dataset.item === value);
        if (item) list.append(item);
      }
      ends();
      toast("顺序没有保存，请重试", { bad: true });
    }
  };
  /** At the ends there is nowhere further. */
  const ends = () => {
    const all = items();
    for (const [at, item] of all.entries()) {
      const button = (name: string) => item.querySelector<HTMLButtonElement>(`button[name=${name}]`);
      const [before, behind] = [button("before"), button("behind")];
      if (before) before.disabled = at === 0;
      if (behind) behind.disabled = at === all.length - 1;
    }
  };
  const settled = (item: HTMLElement) => {
    ends();
    live.textContent = `《${item.dataset.title}》现在在第 ${items().indexOf(item) + 1} 位`;
    clearTimeout(saving);
    saving = setTimeout(() => void save(), 400);
  };

  for (const item of items()) {
    const grip = Object.assign(document.createElement("button"), { type: "button", className: "grip", textContent: "⠿" });
    grip.setAttribute("aria-label", `移动《${item.dataset.title}》，用上下方向键`);
    grip.addEventListener("keydown", (event) => {
      const way = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
      if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const other = items()[items().indexOf(item) + way];
      if (!other) return;
      if (way < 0) other.before(item);
      else other.after(item);
      grip.focus();
      settled(item);
    });
    grip.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      grip.focus();
      item.classList.add("carried");
      // the window hears it out: what moves in the list loses a capture of the pointer
      const carried = new AbortController();
      window.addEventListener("pointermove", carry, { signal: carried.signal });
      for (const end of ["pointerup", "pointercancel"]) {
        window.addEventListener(
          end,
          () => {
            carried.abort();
            item.classList.remove("carried");
            settled(item);
          },
          { signal: carried.signal },
        );
      }
    });
    const carry = ({ clientY }: PointerEvent) => {
      const others = items().filter((other) => other !== item);
      const boxes = others.map((other) => other.getBoundingClientRect());
      const at = over(boxes, clientY);
      const next = others[at];
      if (next ? item.nextElementSibling !== next : list.lastElementChild !== item) {
        if (next) next.before(item);
        else list.append(item);
      }
    };
    item.prepend(grip);
  }
}
