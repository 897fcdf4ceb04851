// Tells how pages are read: which were in sight and for how long, and which hot areas were pressed. It keeps nothing in the
// browser, and programs that drive one tell nothing.
import { READ, Showing } from "./count/Showing.js";

const PLACE = "/count";

let showing: Showing | undefined;
let later: ReturnType<typeof setTimeout> | undefined;
const seen = new Map<number, boolean>();

const isShown = () => document.visibilityState === "visible";

function tell(): void {
  const told = showing?.tell(performance.now());
  if (told) navigator.sendBeacon(PLACE, JSON.stringify(told));
}

/** Takes down what is in sight now. Who stays has read, and that is told at once: a phone may end the page any moment. */
function look(): void {
  for (const [page, inSight] of seen) if (inSight || !isShown()) showing?.see(page, inSight && isShown(), performance.now());
  clearTimeout(later);
  if (isShown()) later = setTimeout(tell, READ + 50);
}

const sheets = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting, intersectionRect, boundingClientRect, rootBounds } of entries) {
    const page = Number((target as HTMLElement).dataset.sheet);
    const whole = Math.min(boundingClientRect.height, rootBounds?.height ?? innerHeight);
    const inSight = isIntersecting && intersectionRect.height >= whole / 2;
    seen.set(page, inSight);
    if (!inSight) showing?.see(page, false, performance.now());
  }
  look();
}, { threshold: [0, 0.25, 0.5, 0.75, 1] });

/** Begins with the page that stands in the document, unless it is the same as before. */
function begin(): void {
  const counted = document.querySelector<HTMLElement>("[data-counted]");
  const ticket = counted?.dataset.counted;
  if (ticket === showing?.ticket) return;
  for (const page of seen.keys()) showing?.see(page, false, performance.now());
  tell();
  sheets.disconnect();
  seen.clear();
  showing = ticket ? new Showing(ticket, navigator.maxTouchPoints > 1) : undefined;
  if (!showing) return;
  const shown = document.querySelectorAll("[data-sheet]");
  for (const sheet of shown) sheets.observe(sheet);
  if (shown.length === 0) seen.set(Number(counted?.dataset.page ?? 0), true);
  look();
}

if (!navigator.webdriver) {
  addEventListener("visibilitychange", () => {
    look();
    if (!isShown()) tell();
  });
  addEventListener("pagehide", tell);
  addEventListener("click", ({ target }) => {
    const area = target instanceof Element ? target.closest("[data-area]")?.getAttribute("data-area") : undefined;
    if (area) showing?.press(area);
  }, true);
  new MutationObserver(begin).observe(document.body, { childList: true, subtree: true });
  begin();
}
