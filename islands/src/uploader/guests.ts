// A guest's page around the uploader: photos go when its form is sent, with the words that stand there, and captions are written
// below those that have come while the others are on their way.
import { effect } from "@preact/signals-react";
import { sayBeside } from "../page/beside.js";
import type { Uploads } from "./Model.js";
import { count } from "./File.js";

/** Pauses before a line that broke is tried again, in ms. */
const PAUSES = [1000, 3000, 10_000, 30_000];
/** The list of what has come is not fetched more often than this, in ms. */
const REST = 2000;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Lets a guest's form send what was chosen. Returns how to stop that. */
export function holdGuests(form: HTMLFormElement | null, model: Uploads): () => void {
  if (!form) return () => undefined;
  const life = new AbortController();
  const { signal } = life;
  form.addEventListener("submit", (event) => {
    // words alone are sent by the page
    if (model.items.peek().length === 0) return;
    event.preventDefault();
    void say(form, model, event.submitter);
  }, { signal });
  document.addEventListener("submit", (event) => {
    const sent = event.target as HTMLFormElement;
    if (!sent.closest("#sent") || model.isOver.peek()) return;
    // the page stays, and sends on
    event.preventDefault();
    void change(form, sent, event.submitter, model);
  }, { signal });
  // who was writing when the last one came has written
  document.addEventListener("focusout", ({ target }) => {
    const isDone = !model.isHeld.peek() && model.isOver.peek() && model.items.peek().length > 0 && model.refused.peek().length === 0;
    if (isDone && (target as Element).closest("#sent")) setTimeout(() => void leave(form, model));
  }, { signal });
  const list = new List(form.action);
  const stop = effect(() => {
    const [isOver, isHeld, refused] = [model.isOver.value, model.isHeld.value, model.refused.value.length];
    // each that has come is news
    const news = model.photos.value.length + model.filesOver.value;
    if (isHeld || news === 0) return;
    void list.refresh();
    if (isOver && refused === 0) void leave(form, model);
  });
  return () => {
    life.abort();
    stop();
  };
}

/** Sends the form's words, and then the photos. What the server does not take is said by its page. */
async function say(form: HTMLFormElement, model: Uploads, button: HTMLElement | null): Promise<void> {
  for (let round = 0; ; round += 1) {
    button?.setAttribute("aria-busy", "true");
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form), redirect: "manual" }).catch(() => undefined);
    if (answer?.type === "opaqueredirect") break;
    if (answer && answer.status < 500) {
      form.submit();
      return;
    }
    const ms = PAUSES[Math.min(round, PAUSES.length - 1)] ?? 0;
    sayBeside(button, `网络断了，${ms / 1000} 秒后再试`);
    await pause(ms);
  }
  button?.removeAttribute("aria-busy");
  sayBeside(button, "");
  model.begin();
}

/** Sends captions, or takes a photo back, beside the page. */
async function change(form: HTMLFormElement, sent: HTMLFormElement, button: HTMLElement | null, model: Uploads): Promise<void> {
  const isDone = await save(sent, button);
  sayBeside(button, isDone ? "" : "没有保存，请再试一次");
  if (!isDone) return;
  if (button instanceof HTMLButtonElement && button.name === "back") model.drop(button.value);
  await new List(form.action).refresh();
}

async function save(sent: HTMLFormElement, button: HTMLElement | null = null): Promise<boolean> {
  const data = new FormData(sent);
  if (button instanceof HTMLButtonElement && button.name) data.append(button.name, button.value);
  const said = new Map([...data].map(([name, value]) => [name, typeof value === "string" ? value : ""]));
  const body = new URLSearchParams([...said]);
  const answer = await fetch(sent.action, { method: "POST", body, redirect: "manual" }).catch(() => undefined);
  if (answer?.type !== "opaqueredirect") return false;
  for (const field of captions(sent)) field.defaultValue = said.get(field.name) ?? "";
  return true;
}

const captions = (sent: ParentNode) => [...sent.querySelectorAll<HTMLInputElement>("input[name^=caption-]")];

/** Shows the page that thanks, unless somebody is just writing below a photo; what was written is saved first. */
async function leave(form: HTMLFormElement, model: Uploads): Promise<void> {
  const sent = document.querySelector<HTMLFormElement>("#sent form");
  if (sent && captions(sent).some((field) => field === document.activeElement)) return;
  const isUnsaved = sent !== null && captions(sent).some((field) => field.value !== field.defaultValue);
  if (isUnsaved && !(await save(sent))) return;
  const address = new URL(form.action);
  address.search = `?sent=${count(model.items.peek(), "taken")}`;
  address.hash = "#sent";
  location.assign(address);
}

/** What the page shows of the photos that have come: fetched anew, it takes nothing away that is being written. */
class List {
  readonly #address: string;
  #isBusy = false;
  #isStale = false;

  constructor(address: string) {
    this.#address = address;
  }

  async refresh(): Promise<void> {
    this.#isStale = true;
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (this.#isStale) {
      this.#isStale = false;
      await this.#fetch().catch(() => undefined);
      await pause(REST);
    }
    this.#isBusy = false;
  }

  async #fetch(): Promise<void> {
    const answer = await fetch(this.#address, { headers: { accept: "text/html" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.getElementById("unfinished")?.remove();
    const [old, next] = [document.getElementById("sent"), page.getElementById("sent")];
    if (!old || !next) {
      if (next) document.getElementById("main")?.append(next);
      else old?.remove();
      return;
    }
    old.querySelector("h2")?.replaceWith(...next.querySelectorAll("h2"));
    const list = old.querySelector("ul");
    const fresh = [...next.querySelectorAll("li")];
    for (const gone of old.querySelectorAll("li")) if (!fresh.some(({ id }) => id === gone.id)) gone.remove();
    for (const item of fresh.reverse()) {
      const known = document.getElementById(item.id);
      // it has come whole, or it was accepted: what is typed there stays as long as it can
      if (!known) list?.prepend(item);
      else if (!item.querySelector("input")) known.replaceWith(item);
      else if (!item.querySelector(".coming")) known.querySelector(".coming")?.remove();
    }
    if (!old.querySelector("form > .row button")) old.querySelector("form > .row")?.replaceWith(...next.querySelectorAll("form > .row"));
  }
}
