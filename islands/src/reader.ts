// The room that works, newspapers and magazines are read in. Every page is a document of its own and works without this: it comes
// with each page, so what hands do (`reader/hands`) comes with the first of them, or when somebody stays.
import { cacheOf } from "./reader/cache.js";
import { looks } from "./reader/looks.js";
import { keepPage, keptPlace, later } from "./reader/place.js";
import { addViews } from "./reader/views.js";

/** Who stays this long on a page reads it, in ms. */
const READ = 1000;
/** What is done here instead of what a link would do, where it can wait for its script. */
const OURS = ".turns a[rel], .hot a[href^='#'], .leaf:not(.run) .page:not(.beside) .zoom";
const KEYS = /^(Arrow(Left|Right)|Page(Up|Down)|Home|End)$/;
const EVENTS = ["keydown", "touchstart", "touchend", "click", "popstate"];

let reading: ReturnType<typeof setTimeout> | undefined;
let hands: Promise<(event: Event) => boolean> | undefined;

/** Keeps the page on which somebody stays. */
function stay(page: number): void {
  clearTimeout(reading);
  // what is being read: pages, or an article of one
  const id = document.querySelector<HTMLElement>("[data-volume]")?.dataset.volume;
  if (id) reading = setTimeout(() => { keepPage(id, page); ahead(); }, READ);
}

/** A page has come. */
function settle(): void {
  clearTimeout(reading);
  const tools = document.querySelector<HTMLElement>(".tools");
  if (tools) void import("./reader/tools.js").then(({ fill }) => fill(tools, looks), () => undefined);
  const shown = document.querySelector<HTMLElement>("main[data-direction] [data-volume]");
  if (shown) stay(Number(shown.dataset.page));
}

/** Fetches what hands do; from then on it is done at once. */
function call(): Promise<(event: Event) => boolean> {
  return (hands ??= import("./reader/hands.js").then(({ begin, handle }) => {
    for (const name of EVENTS) {
      removeEventListener(name, wait);
      addEventListener(name, (event) => { if (handle(event)) event.preventDefault(); }, { passive: name.startsWith("touch") });
    }
    begin(settle, stay);
    return handle;
  }));
}

/** The same before anything is done with it; what does not come is asked for once more when it is. */
function ahead(): void {
  void call().catch(() => { hands = undefined; });
}

/** Keeps what somebody does until its script is there; without it links lead where they lead. */
function wait(event: Event): void {
  const target = event.target instanceof Element ? event.target : undefined;
  if (event instanceof MouseEvent || event instanceof KeyboardEvent) {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    const isOurs = event instanceof MouseEvent
      ? event.button === 0 && target?.closest(OURS)
      : KEYS.test(event.key) && document.querySelector(".leaf") && !target?.closest("input, textarea, select, [contenteditable]");
    if (!isPlain || !isOurs) return;
    event.preventDefault();
  }
  const leave = () => {
    const address = event.type === "click" ? target?.closest("a")?.getAttribute("href") : undefined;
    if (address) location.assign(address);
  };
  void call().then((handle) => { if (!handle(event)) leave(); }, leave);
}

for (const name of EVENTS) addEventListener(name, wait, { passive: name.startsWith("touch") });
// what goes on by itself has to know that somebody reads on
addEventListener("scroll", ahead, { once: true, passive: true });

// on the cover: on from where somebody came to, here or, with an account, on another device
const start = document.querySelector<HTMLAnchorElement>("a[data-start]");
const here = start?.dataset.start ? keptPlace(start.dataset.start) : undefined;
if (start && here && here.page > 1 && here.page <= Number(start.dataset.open ?? here.page)) {
  const known = document.querySelector<HTMLAnchorElement>("a[data-on]");
  const on = known ?? (start.cloneNode() as HTMLAnchorElement);
  const { word = "页" } = start.dataset;
  const lead = (link: HTMLAnchorElement, page: number, text: string) => {
    link.href = `${start.getAttribute("href")?.replace(/\/1$/, "")}/${page}`;
    link.textContent = text;
  };
  const { on: there = "", ago = "" } = known?.dataset ?? {};
  const [last, other] = known ? later(here, { page: Number(there), at: Date.now() - Number(ago) }) : [here];
  lead(on, last.page, `继续第 ${last.page} ${word}`);
  if (!known) {
    start.classList.remove("primary");
    start.textContent = "从头看";
    start.before(on);
  }
  if (other) {
    const back = start.cloneNode() as HTMLAnchorElement;
    lead(back, other.page, `回到第 ${other.page} ${word}`);
    on.after(back);
  }
}

// the whole of it on this device: the script that does it comes when somebody asks, or has asked before
const about = document.querySelector<HTMLElement>("[data-offline]");
const saved = about?.dataset.offline;
if (about && saved && "serviceWorker" in navigator && "caches" in globalThis) {
  const box = Object.assign(document.createElement("p"), { className: "offline" });
  box.setAttribute("role", "status");
  const open = async () => {
    // what is saved is to be turned without a line, too
    await call();
    const { show } = await import("./reader/offline.js");
    await show(box, saved, cacheOf(saved));
  };
  const ask = Object.assign(document.createElement("button"), { type: "button", className: "link", textContent: "离线保存" });
  ask.addEventListener("click", () => void open().catch(() => undefined));
  box.append(ask);
  about.append(box);
  void caches.has(cacheOf(saved)).then((has) => { if (has) void open().catch(() => undefined); });
}

looks.apply();
addViews();
settle();
