// The room that works, newspapers and magazines are read in: turning by swipe, tap and keys, the place that somebody has come
// to, looking closer, full screen. Every page is a document of its own and works without this.
import { isArticle } from "./reader/articles.js";
import { type Turn, ofKey, ofSwipe, ofTap } from "./reader/gestures.js";
import { Pages, neighbour } from "./reader/pages.js";
import { shelf } from "./reader/shelf.js";
import { keepPage, keptPlace, later } from "./reader/place.js";
import { applyLooks } from "./reader/looks.js";
import { addViews } from "./reader/views.js";

/** Who stays this long on a page reads it, in ms. */
const READ = 1000;
/** Two taps within this time are one double tap, in ms. */
const DOUBLE = 300;

const pages = new Pages();
let reading: ReturnType<typeof setTimeout> | undefined;

const main = () => document.querySelector<HTMLElement>("main[data-direction]");
const leaf = () => document.querySelector<HTMLElement>(".leaf");
/** What is being read: pages, or an article of one. */
const volume = () => document.querySelector<HTMLElement>("[data-volume]");
const rightToLeft = () => main()?.dataset.direction === "right";
const enlarged = () => (visualViewport?.scale ?? 1) > 1;
const typing = (target: EventTarget | null) => target instanceof Element && !!target.closest("input, textarea, select, [contenteditable]");

function settle(): void {
  const [whole, shown] = [main(), volume()];
  clearTimeout(reading);
  const tools = document.querySelector<HTMLElement>(".tools");
  if (tools) void import("./reader/tools.js").then(({ fill }) => fill(tools), () => undefined);
  if (!whole || !shown) return;
  const { volume: id = "", page = "" } = shown.dataset;
  stay(id, Number(page));
  // what is read from top to bottom comes by itself
  if (shown.matches(".leaf:not(.run)")) void pages.prepare(whole);
}

/** Keeps the page on which somebody stays. */
function stay(id: string, page: number): void {
  clearTimeout(reading);
  reading = setTimeout(() => keepPage(id, page), READ);
}

async function show(address: string, turn: Turn, push: boolean): Promise<void> {
  const fetched = await pages.fetch(address);
  const [old, root] = [main(), document.documentElement];
  if (!fetched || !old) {
    location.assign(address);
    return;
  }
  const swap = () => {
    old.replaceWith(fetched.main.cloneNode(true));
    const counted = fetched.counted?.cloneNode(true);
    if (counted) document.querySelector("[data-counted]")?.replaceWith(counted);
    document.title = fetched.title;
    if (push) history.pushState({ turned: true }, "", address);
    scrollTo({ top: 0, behavior: "instant" });
  };
  dispatchEvent(new Event("turn"));
  root.dataset.turn = (turn === "next" || turn === "last") === rightToLeft() ? "right" : "left";
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (still || !("startViewTransition" in document)) swap();
  else {
    const { ready, updateCallbackDone } = document.startViewTransition(swap);
    // who turns on before a page has come skips its way
    ready.catch(() => undefined);
    await updateCallbackDone;
  }
  main()?.focus({ preventScroll: true });
  settle();
}

function turn(way: Turn | undefined): boolean {
  const [whole, shown] = [main(), leaf()];
  if (!way || !whole || !shown) return false;
  const base = location.pathname.replace(/\/\d+$/, "");
  const address =
    way === "first" ? `${base}/1`
    : way === "last" ? `${base}/${shown.dataset.pages}`
    : neighbour(whole, way === "next" ? "next" : "prev");
  // the cover is another kind of page
  if (!address?.match(/\/\d+(\?.*)?$/)) {
    if (address) location.assign(address);
    return !!address;
  }
  if (new URL(address, location.href).pathname !== location.pathname) void show(address, way, true);
  return true;
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || typing(event.target)) return;
  if (turn(ofKey(event.key, rightToLeft()))) event.preventDefault();
});

let finger: { x: number; y: number } | undefined;
addEventListener("touchstart", ({ touches, target }) => {
  const [first] = touches;
  const inside = target instanceof Element && !!target.closest(".leaf");
  finger = first && touches.length === 1 && inside && !enlarged() ? { x: first.clientX, y: first.clientY } : undefined;
}, { passive: true });
let touched = -Infinity;
addEventListener("touchend", ({ changedTouches: [last] }) => {
  touched = performance.now();
  if (!finger || !last || enlarged()) return;
  turn(ofSwipe(last.clientX - finger.x, last.clientY - finger.y, rightToLeft()));
  finger = undefined;
}, { passive: true });

addEventListener("click", (event) => {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || !(event.target instanceof Element)) return;
  const link = event.target.closest<HTMLAnchorElement>(".turns a[rel]");
  if (link) {
    if (turn(link.rel === "next" ? "next" : "before")) event.preventDefault();
    return;
  }
  const article = event.target.closest<SVGAElement>(".leaf .hot a");
  if (article && performance.now() - touched < DOUBLE * 2) {
    if (ofArticle(article)) event.preventDefault();
    return;
  }
  // hot areas keep their clicks; the edges of the picture turn, its middle shows it larger
  const picture = event.target.closest<HTMLElement>(".leaf:not(.run) .page:not(.beside) .zoom");
  if (!picture || enlarged()) return;
  const { left, width } = picture.getBoundingClientRect();
  event.preventDefault();
  if (turn(ofTap((event.clientX - left) / width, rightToLeft()))) return;
  enlarge(picture);
});

/** Shows the page of a picture larger, at an article where one is meant. */
function enlarge(picture: HTMLElement, article?: string): void {
  void import("./reader/zoom.js").then(({ show }) => show(picture, article), () => location.assign((picture as HTMLAnchorElement).href));
}

let tapped: { article: string; timer: ReturnType<typeof setTimeout> } | undefined;

/** A finger on an article of a page: one tap leads to its words, two show the page there. False where it is another link. */
function ofArticle(link: SVGAElement): boolean {
  const article = link.getAttribute("href") ?? "";
  const picture = link.closest(".page:not(.beside)")?.querySelector<HTMLElement>(".zoom");
  if (!picture || !isArticle(article)) return false;
  const isSecond = tapped?.article === article;
  clearTimeout(tapped?.timer);
  tapped = undefined;
  if (isSecond) enlarge(picture, article);
  else tapped = { article, timer: setTimeout(() => { tapped = undefined; location.assign(article); }, DOUBLE) };
  return true;
}

// what an area says is shown over the page; it stands below it, too
addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest(".hot a[href^='#']") : null;
  const said = link && document.querySelector<HTMLElement>(`#${CSS.escape(link.getAttribute("href")?.slice(1) ?? "")}`);
  if (!said || !("showPopover" in said)) return;
  event.preventDefault();
  said.popover = "auto";
  said.addEventListener("toggle", ({ newState }) => {
    if (newState !== "closed") return;
    said.popover = null;
    said.querySelectorAll<HTMLMediaElement>("video, audio").forEach((media) => media.pause());
  });
  said.showPopover();
});

addEventListener("popstate", () => {
  if (/\/\d+$/.test(location.pathname) && leaf()) void show(location.href, "before", false);
  else location.reload();
});

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
  const open = () => void import("./reader/offline.js").then(({ show }) => show(box, saved), () => undefined);
  const ask = Object.assign(document.createElement("button"), { type: "button", className: "link", textContent: "离线保存" });
  ask.addEventListener("click", open);
  box.append(ask);
  about.append(box);
  void caches.has(shelf(saved)).then((has) => { if (has) open(); });
}

applyLooks();
addViews();
settle();
const whole = leaf();
// what is read from top to bottom has a script of its own
if (whole?.classList.contains("run")) {
  void import("./reader/run.js").then(({ goOn }) => { goOn(pages, (page) => { stay(whole.dataset.volume ?? "", page); }); }, () => undefined);
}
