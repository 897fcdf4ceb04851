// What hands, keys and clicks do in the room that is read in: turning, going on by itself, looking closer. It comes with the first of
// them, or when somebody stays; the page before is one of links.
import { isArticle } from "./articles.js";
import { type Turn, ofKey, ofSwipe, ofTap } from "./gestures.js";
import { Pages } from "./pages.js";

/** Two taps within this time are one double tap, in ms. */
const DOUBLE = 300;

const pages = new Pages();
/** Told of each page that has come. */
let came: () => void;
/** Told which page is in view, of those below each other. */
let stays: (page: number) => void;

const main = () => document.querySelector<HTMLElement>("main[data-direction]");
const leaf = () => document.querySelector<HTMLElement>(".leaf");
const rightToLeft = () => main()?.dataset.direction === "right";
const enlarged = () => (visualViewport?.scale ?? 1) > 1;
const typing = (target: EventTarget | null) => target instanceof Element && !!target.closest("input, textarea, select, [contenteditable]");

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
  came();
  prepare();
}

/** Has the pages around this one ready; what is read from top to bottom comes by itself. */
function prepare(): void {
  const whole = main();
  if (whole && document.querySelector(".leaf:not(.run)")) void pages.prepare(whole);
}

function turn(way: Turn | undefined): boolean {
  const [whole, shown] = [main(), leaf()];
  if (!way || !whole || !shown) return false;
  const base = location.pathname.replace(/\/\d+$/, "");
  const address =
    way === "first" ? `${base}/1`
    : way === "last" ? `${base}/${shown.dataset.pages}`
    : pages.neighbour(whole, way === "next" ? "next" : "prev");
  // the cover is another kind of page
  if (!address?.match(/\/\d+(\?.*)?$/)) {
    if (address) location.assign(address);
    return !!address;
  }
  if (new URL(address, location.href).pathname !== location.pathname) void show(address, way, true);
  return true;
}

/** Shows the page of a picture larger, at an article where one is meant. */
function enlarge(picture: HTMLElement, article?: string): void {
  void import("./zoom.js").then(({ show }) => show(picture, isArticle, article), () => location.assign((picture as HTMLAnchorElement).href));
}

let tapped: { article: string; timer: ReturnType<typeof setTimeout> } | undefined;

/** A finger on an article of a page: one tap leads to its words, two show the page there. False where it is another link. */
function ofArticle(link: Element): boolean {
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

/** What an area says is shown over the page; it stands below it, too. */
function ofNote(link: Element): boolean {
  const said = document.querySelector<HTMLElement>(`#${CSS.escape(link.getAttribute("href")?.slice(1) ?? "")}`);
  if (!said || !("showPopover" in said)) return false;
  said.popover = "auto";
  said.addEventListener("toggle", ({ newState }) => {
    if (newState !== "closed") return;
    said.popover = null;
    said.querySelectorAll<HTMLMediaElement>("video, audio").forEach((media) => media.pause());
  });
  said.showPopover();
  return true;
}

/** What a click does here rather than its link; the edges of the picture turn, its middle shows it larger. */
function ofClick(target: Element, x: number): boolean {
  const link = target.closest<HTMLAnchorElement>(".turns a[rel]");
  if (link) return turn(link.rel === "next" ? "next" : "before");
  const note = target.closest(".hot a[href^='#']");
  if (note) return ofNote(note);
  const article = target.closest(".leaf .hot a");
  if (article) return performance.now() - touched < DOUBLE * 2 && ofArticle(article);
  const picture = target.closest<HTMLElement>(".leaf:not(.run) .page:not(.beside) .zoom");
  if (!picture || enlarged()) return false;
  const { left, width } = picture.getBoundingClientRect();
  if (!turn(ofTap((x - left) / width, rightToLeft()))) enlarge(picture);
  return true;
}

let finger: { x: number; y: number } | undefined;
let touched = -Infinity;

/** What is done about an event; true where that is instead of what its link or the browser would do. */
export function handle(event: Event): boolean {
  if (event instanceof KeyboardEvent) {
    const { ctrlKey, metaKey, altKey, shiftKey, key, target } = event;
    return !ctrlKey && !metaKey && !altKey && !shiftKey && !typing(target) && turn(ofKey(key, rightToLeft()));
  }
  if (event instanceof PopStateEvent) {
    if (/\/\d+$/.test(location.pathname) && leaf()) void show(location.href, "before", false);
    else location.reload();
    return true;
  }
  if (event.type === "touchstart") {
    const { touches, target } = event as TouchEvent;
    const [first] = touches;
    const inside = target instanceof Element && !!target.closest(".leaf");
    finger = first && touches.length === 1 && inside && !enlarged() ? { x: first.clientX, y: first.clientY } : undefined;
    return false;
  }
  if (event.type === "touchend") {
    touched = performance.now();
    const [last] = (event as TouchEvent).changedTouches;
    if (!finger || !last || enlarged()) return false;
    turn(ofSwipe(last.clientX - finger.x, last.clientY - finger.y, rightToLeft()));
    finger = undefined;
    return false;
  }
  const { button, ctrlKey, metaKey, shiftKey, target, clientX } = event as MouseEvent;
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && target instanceof Element && ofClick(target, clientX);
}

/** Begins: `come` is told of each page that has come, `stay` which page is in view. */
export function begin(come: () => void, stay: (page: number) => void): void {
  [came, stays] = [come, stay];
  prepare();
  // what is read from top to bottom has a script of its own
  if (document.querySelector(".leaf.run")) void import("./run.js").then(({ goOn }) => goOn(pages, stays), () => undefined);
}
