// What a reader with an account does in what it reads: the page it has come to goes to its study, also later where there was no
// line; what it is writing outlasts a turn of the page.
import { forget, read, write } from "./runtime/storage.js";
import { type Place, places } from "./study/places.js";

/** Who stays this long on a page reads it, in ms. */
const READ = 1000;
const UNSENT = "study:unsent";
const draft = (form: HTMLFormElement) => `note:${form.dataset.draft}`;

let reading: ReturnType<typeof setTimeout> | undefined;

/** Sends what was not sent yet; what the server refuses is no place any more. */
async function send(): Promise<void> {
  for (const [id, { kind, page, at }] of Object.entries(places(read(UNSENT)))) {
    const body = new URLSearchParams({ kind, id, page: `${page}`, ago: `${Math.max(0, Date.now() - at)}` });
    try {
      await fetch("/manager/book-study/place", { method: "POST", body, keepalive: true, redirect: "manual" });
    } catch {
      return;
    }
    // unless a later page was read meanwhile
    const left = Object.entries(places(read(UNSENT))).filter(([other, place]) => other !== id || place.at !== at);
    write(UNSENT, Object.fromEntries(left));
  }
}

function settle(): void {
  clearTimeout(reading);
  const shown = document.querySelector<HTMLElement>("[data-volume]");
  const form = document.querySelector<HTMLFormElement>("form[data-draft]");
  const area = form?.querySelector("textarea");
  const kept = form && read(draft(form));
  if (area && !area.value.trim() && typeof kept === "string" && kept) {
    area.value = kept;
    area.closest("details")?.setAttribute("open", "");
  }
  const { kind = "", volume, page } = shown?.dataset ?? {};
  if (!volume) return;
  reading = setTimeout(() => {
    const place: Place = { kind, page: Number(page), at: Date.now() };
    write(UNSENT, { ...places(read(UNSENT)), [volume]: place });
    void send();
  }, READ);
}

addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLTextAreaElement)) return;
  const form = target.form;
  if (form?.dataset.draft) write(draft(form), target.value);
});
addEventListener("submit", ({ target }) => {
  if (target instanceof HTMLFormElement && target.dataset.draft) forget(draft(target));
});
addEventListener("online", () => void send());
// a turned page takes the place of the one before
new MutationObserver(settle).observe(document.body, { childList: true });
settle();
void send();
