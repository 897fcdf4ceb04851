// A page larger than the window, over the others: pinched, moved with a finger, the mouse or the bars, and brought to the
// article that is tapped twice, whose words are one link away.
import { type Frame, at, frameWidth, kept } from "./closer.js";

/** How much larger or smaller a press makes it. */
const STEP = 1.5;
/** The widest that it is shown, in CSS pixels. */
const MOST = 4096;
/** Two taps within this time and distance are one double tap, in ms and CSS pixels. */
const DOUBLE = 300;
const NEAR = 30;

interface Article {
  name: string;
  address: string;
  frames: Frame[];
}

/** The articles whose areas lie on the page of a picture. */
function articlesOf(picture: Element, isArticle: (address: string) => boolean): Article[] {
  const links = picture.closest(".page")?.querySelectorAll<SVGAElement>(".hot a") ?? [];
  return [...links].flatMap((link) => {
    const address = link.getAttribute("href") ?? "";
    if (!isArticle(address)) return [];
    const frames = [...link.querySelectorAll("rect")].map((rect) => {
      const side = (name: string) => Number(rect.getAttribute(name)) / 1000;
      return { x: side("x"), y: side("y"), width: side("width"), height: side("height") };
    });
    return [{ name: link.getAttribute("aria-label") ?? "", address, frames }];
  });
}

/** Shows the page that a picture's link leads to, at an article where its address is named; which links lead to one is told by whoever
 * calls (`articles`), so that this comes in one file. */
export function show(picture: HTMLElement, isArticle: (address: string) => boolean, article?: string): void {
  const shown = picture.querySelector("img");
  const large = (picture as HTMLAnchorElement).href;
  const articles = articlesOf(picture, isArticle);
  const dialog = document.createElement("dialog");
  dialog.className = "large";
  dialog.setAttribute("aria-label", shown?.alt ?? "");
  const pane = Object.assign(document.createElement("div"), { className: "pane", tabIndex: 0 });
  pane.setAttribute("role", "region");
  pane.setAttribute("aria-label", "放大的页面");
  // what is here already is shown until the sharp one is
  const image = Object.assign(new Image(), { src: shown?.currentSrc ?? large, alt: shown?.alt ?? "", draggable: false });
  const sharp = Object.assign(new Image(), { src: large });
  void sharp.decode().then(() => { image.src = large; }, () => undefined);
  // its room is there before it is
  for (const side of ["width", "height"]) image.setAttribute(side, shown?.getAttribute(side) ?? "");
  pane.append(image);

  const bar = Object.assign(document.createElement("p"), { className: "row" });
  const button = (text: string, name: string, press: () => void) => {
    const made = Object.assign(document.createElement("button"), { type: "button", className: "button small", textContent: text });
    made.setAttribute("aria-label", name);
    made.addEventListener("click", press);
    return made;
  };
  const words = Object.assign(document.createElement("a"), { className: "button primary small", hidden: true });
  bar.append(
    words,
    button("－", "缩小", () => by(1 / STEP)),
    button("＋", "放大", () => by(STEP)),
    button("关闭", "关闭", () => dialog.close()),
  );
  dialog.append(pane, bar);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  pane.focus();

  // as its attributes say: it may not have come yet
  const ratio = Number(shown?.getAttribute("height")) / Number(shown?.getAttribute("width"));
  /** The width at which the whole page is seen. */
  const least = () => Math.min(pane.clientWidth, pane.clientHeight / ratio);
  let width = 0;
  /** Shows it so wide, with what is at a point of the pane where it was. */
  const resize = (wanted: number, x = pane.clientWidth / 2, y = pane.clientHeight / 2) => {
    const next = Math.min(MOST, Math.max(least(), wanted));
    const left = kept(pane.scrollLeft, x - Math.max(0, pane.clientWidth - width) / 2, width, next);
    const top = kept(pane.scrollTop, y - Math.max(0, pane.clientHeight - width * ratio) / 2, width, next);
    width = next;
    image.style.width = `${width}px`;
    pane.scrollTo({ left, top, behavior: "instant" });
  };
  const by = (factor: number) => resize(width * factor);
  /** An article's area as wide as the pane, and the way to its words. */
  const bring = (found: Article, frame: Frame) => {
    resize(frameWidth(frame, pane.clientWidth));
    pane.scrollTo({ left: (frame.x + frame.width / 2) * width - pane.clientWidth / 2, top: frame.y * width * ratio - 8, behavior: "instant" });
    words.href = found.address;
    words.textContent = `看文字：${found.name}`;
    words.hidden = false;
  };
  // a pixel of the picture is one of the screen, and the middle comes first
  resize(Math.max(pane.clientWidth, 2048 / devicePixelRatio), pane.clientWidth / 2, 0);
  pane.scrollTo({ left: (width - pane.clientWidth) / 2, top: 0, behavior: "instant" });
  const named = articles.find(({ address }) => address === article);
  if (named?.frames[0]) bring(named, named.frames[0]);

  let pinch: { apart: number; width: number } | undefined;
  const apart = ([one, two]: TouchList | Touch[]) => (one && two ? Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY) : 0);
  pane.addEventListener("touchstart", ({ touches }) => {
    pinch = touches.length === 2 ? { apart: apart(touches), width } : undefined;
  }, { passive: true });
  pane.addEventListener("touchmove", (event) => {
    const [one, two] = event.touches;
    if (!pinch || !one || !two) return;
    event.preventDefault();
    const { left, top } = pane.getBoundingClientRect();
    resize(pinch.width * (apart(event.touches) / pinch.apart), (one.clientX + two.clientX) / 2 - left, (one.clientY + two.clientY) / 2 - top);
  }, { passive: false });
  pane.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const { left, top } = pane.getBoundingClientRect();
    resize(width * Math.exp(-event.deltaY / 300), event.clientX - left, event.clientY - top);
  }, { passive: false });
  pane.addEventListener("keydown", ({ key }) => {
    if (key === "+" || key === "=") by(STEP);
    else if (key === "-") by(1 / STEP);
    else if (key === "0") resize(least());
  });

  // a mouse moves it as a finger does
  let moved = false;
  pane.addEventListener("pointerdown", ({ pointerId, pointerType, button }) => {
    moved = false;
    if (pointerType === "mouse" && button === 0) pane.setPointerCapture(pointerId);
  });
  pane.addEventListener("pointermove", ({ pointerId, movementX, movementY }) => {
    if (!pane.hasPointerCapture(pointerId)) return;
    moved ||= Math.abs(movementX) + Math.abs(movementY) > 2;
    pane.scrollBy({ left: -movementX, top: -movementY, behavior: "instant" });
  });

  let last: { x: number; y: number; time: number } | undefined;
  pane.addEventListener("click", ({ clientX, clientY, timeStamp }) => {
    if (moved) return;
    const isSecond = last && timeStamp - last.time < DOUBLE && Math.hypot(clientX - last.x, clientY - last.y) < NEAR;
    last = isSecond ? undefined : { x: clientX, y: clientY, time: timeStamp };
    if (!isSecond) return;
    const { left, top } = image.getBoundingClientRect();
    const point = { x: (clientX - left) / width, y: (clientY - top) / (width * ratio) };
    for (const found of articles) {
      const frame = at(found.frames, point);
      // the same once more shows the whole page
      if (!frame || (!words.hidden && words.getAttribute("href") === found.address)) continue;
      bring(found, frame);
      return;
    }
    words.hidden = true;
    const pad = pane.getBoundingClientRect();
    resize(width > least() * 1.1 ? least() : width * 2.5, clientX - pad.left, clientY - pad.top);
  });
}
