// The making desk: whole months and rows of the library are chosen at once, and what the photos become is said before it is
// made. Without it the same fields and buttons do the same, a page at a time.
import { range } from "./page/range.js";

/** Milliseconds after the last change before the server is asked. */
const PAUSE = 400;
/** And while the server still looks at what arrived. */
const LOOKING = 1500;

const form = document.querySelector<HTMLFormElement>("form[data-desk]");
if (form) begin(form, form.dataset.desk ?? "");

function begin(form: HTMLFormElement, address: string): void {
  const boxes = () => [...form.querySelectorAll<HTMLInputElement>(".library input[name=photo]")];
  let last: HTMLInputElement | undefined;

  form.querySelector(".library")?.addEventListener("click", (event) => {
    const box = event.target;
    if (!(box instanceof HTMLInputElement) || box.name !== "photo") return;
    if ((event as MouseEvent).shiftKey && last) {
      for (const other of range(boxes(), last, box)) other.checked = box.checked;
      say();
    }
    last = box;
  });
  form.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === "month") {
      for (const box of photosOf(target)) box.checked = target.checked;
    }
    // a month is chosen as long as all of it is; one that is shown in part, as long as nothing of it is taken away
    for (const month of form.querySelectorAll<HTMLInputElement>("input[name=month]")) {
      const photos = photosOf(month);
      if (photos.length === 0) continue;
      const marked = photos.filter((box) => box.checked).length;
      month.checked = marked === photos.length && (month.checked || !isCut(month));
      month.indeterminate = marked > 0 && !month.checked;
    }
    say();
    later();
  });

  function say(): void {
    const count = boxes().filter((box) => box.checked).length;
    const output = form.querySelector<HTMLElement>("[data-chosen]");
    if (!output) return;
    output.hidden = count === 0;
    output.textContent = `已选 ${count} 张`;
  }

  let timer = 0;
  let asked = 0;
  function later(): void {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void look(), PAUSE);
  }

  // a photo that is taken back, or all of them: said anew without leaving the page
  form.addEventListener("submit", (event) => {
    const pressed = event.submitter;
    if (!(pressed instanceof HTMLButtonElement) || pressed.name !== "take_back") return;
    event.preventDefault();
    // it stays so, whatever is asked next
    const outside = [...form.querySelectorAll<HTMLInputElement>("#weak input[name=outside]")];
    for (const value of pressed.value === "all" ? outside.map((photo) => photo.value) : [pressed.value])
      pressed.after(Object.assign(document.createElement("input"), { type: "hidden", name: "wanted", value }));
    void look(pressed);
  });

  async function look(pressed?: HTMLButtonElement): Promise<void> {
    const mine = ++asked;
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (typeof value === "string" && name !== "seen") body.append(name, value);
    if (pressed) body.append(pressed.name, pressed.value);
    const part = document.getElementById("ahead");
    const answer = await fetch(address, { method: "POST", body, headers: { accept: "text/html" } }).catch(() => undefined);
    // what was asked later is newer
    if (!answer?.ok || answer.redirected || mine !== asked || !part) return;
    const focused = document.activeElement instanceof HTMLInputElement ? document.activeElement.value : undefined;
    const wasInside = part.contains(document.activeElement);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    part.replaceChildren(...fresh.body.childNodes);
    if (wasInside && focused) part.querySelector<HTMLInputElement>(`input[value="${CSS.escape(focused)}"]`)?.focus();
    else if (pressed) part.querySelector<HTMLElement>("#weak")?.focus();
    const { title = "", summary = "", pending = "0" } = part.querySelector<HTMLElement>(".ahead")?.dataset ?? {};
    const [name, line] = [document.getElementById("title"), document.getElementById("summary")];
    if (name instanceof HTMLInputElement) name.placeholder = title || "未命名作品";
    if (line) line.textContent = summary;
    if (pending !== "0") timer = window.setTimeout(() => void look(), LOOKING);
  }

  say();
  // chosen before a reload, or by going back
  if (boxes().some((box) => box.checked) && !document.querySelector("#ahead .ahead")) later();
}

function photosOf(month: HTMLInputElement): HTMLInputElement[] {
  return [...(month.closest(".picking")?.querySelectorAll<HTMLInputElement>("input[name=photo]") ?? [])];
}

/** Whether other photos of the month stand in another part of the library. */
function isCut(month: HTMLInputElement): boolean {
  return month.closest<HTMLElement>(".picking")?.dataset.cut !== undefined;
}
