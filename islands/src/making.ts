// The making desk: whole months and rows of the library are chosen at once, and what the photos become is said before it is
// made. Without it the same fields and buttons do the same, a page at a time.
import { sayBeside } from "./page/beside.js";
import { range } from "./page/range.js";

/** Milliseconds after the last change before the server is asked. */
const PAUSE = 400;
/** And while the server still looks at what arrived. */
const LOOKING = 1500;
/** How often somebody who wants the book waits for that. */
const LOOKS = 6;

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
  /** What is said of the photos may not be all that there is to say. */
  let isStale = false;
  function later(): void {
    isStale = true;
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

  // photos that look alike are chosen here, before anything is sent; what else there is to ask the server asks
  form.addEventListener("submit", (event) => {
    const pressed = event.submitter;
    const name = pressed instanceof HTMLButtonElement ? pressed.name : "";
    if (event.defaultPrevented || !isStale || name === "take_back" || name === "blank") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    void ask(pressed);
  });

  async function ask(pressed: HTMLElement | null): Promise<void> {
    pressed?.setAttribute("aria-busy", "true");
    window.clearTimeout(timer);
    let fresh = await ahead();
    for (let looks = 1; looks < LOOKS && isPending(fresh); looks += 1) {
      sayBeside(pressed, "正在看照片…");
      await new Promise((done) => setTimeout(done, LOOKING));
      fresh = await ahead();
    }
    pressed?.removeAttribute("aria-busy");
    isStale = false;
    const compared = (part: ParentNode | null | undefined) => [...(part?.querySelectorAll<HTMLInputElement>("input[name=compared]") ?? [])].map(({ value }) => value);
    const known = new Set(compared(document.getElementById("ahead")));
    if (!fresh || compared(fresh.body).every((photo) => known.has(photo))) {
      sayBeside(pressed, "");
      form.requestSubmit(pressed);
      return;
    }
    show(fresh);
    sayBeside(pressed, `有 ${form.querySelectorAll("#ahead .alike").length} 组很像的照片：留哪张在上面选，再按一次`);
    form.querySelector<HTMLElement>("#ahead .alike input")?.focus();
  }

  /** What the photos become, as the server says it; nothing where that can't be had. */
  async function ahead(pressed?: HTMLButtonElement): Promise<Document | undefined> {
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (typeof value === "string" && name !== "seen") body.append(name, value);
    if (pressed) body.append(pressed.name, pressed.value);
    const answer = await fetch(address, { method: "POST", body, headers: { accept: "text/html" } }).catch(() => undefined);
    if (!answer?.ok || answer.redirected) return undefined;
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  }

  /** Whether there may be more to say soon. */
  function isPending(fresh: Document | undefined): boolean {
    return (fresh?.querySelector<HTMLElement>(".ahead")?.dataset.pending ?? "0") !== "0";
  }

  async function look(pressed?: HTMLButtonElement): Promise<void> {
    const mine = ++asked;
    const fresh = await ahead(pressed);
    // what was asked later is newer
    if (!fresh || mine !== asked) return;
    isStale = isPending(fresh);
    show(fresh, pressed);
    if (isStale) timer = window.setTimeout(() => void look(), LOOKING);
  }

  function show(fresh: Document, pressed?: HTMLButtonElement): void {
    const part = document.getElementById("ahead");
    if (!part) return;
    const focused = document.activeElement instanceof HTMLInputElement ? document.activeElement.value : undefined;
    const wasInside = part.contains(document.activeElement);
    part.replaceChildren(...fresh.body.childNodes);
    if (wasInside && focused) part.querySelector<HTMLInputElement>(`input[value="${CSS.escape(focused)}"]`)?.focus();
    else if (pressed) part.querySelector<HTMLElement>("#weak")?.focus();
    const { title = "", summary = "" } = part.querySelector<HTMLElement>(".ahead")?.dataset ?? {};
    const [name, line] = [document.getElementById("title"), document.getElementById("summary")];
    if (name instanceof HTMLInputElement) name.placeholder = title || "未命名作品";
    if (line) line.textContent = summary;
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
