// The hand on the overview: spreads are carried to another place, and what is dropped on one finds its page.
import type { PageModel } from "./Book.js";
import type { Editor } from "./Model.js";
import type { Spot } from "./View.js";

/** Where a carried spread would come: before the pair of this place among all pairs, or behind the last. */
export interface Gap {
  place: number;
  /** The left page of what is carried. */
  left: number;
}

/** Pixels after which a press of a mouse is a drag; a finger that moves further before its time scrolls. */
const SLOP = 4;
/** Milliseconds until a finger that rests carries. */
const HELD = 500;
/** Pixels from the edges of the list within which it scrolls, and how far at once. */
const [EDGE, STEP] = [48, 10];

/** The place of a page's small picture that a point of the screen is on; the middle of another page where it is on none. */
export function spotOn(editor: Editor, other: PageModel | undefined, { clientX, clientY }: { clientX: number; clientY: number }): Spot | undefined {
  const node = document.elementsFromPoint(clientX, clientY).map((it) => it.closest<HTMLElement>(".overview [data-page]")).find(Boolean);
  const page = editor.book.page(node?.dataset.page ?? "");
  const { width, height } = editor.book.document.trim;
  if (!page || !node) return other && { page: other, x: width / 2, y: height / 2 };
  const box = node.getBoundingClientRect();
  return { page, x: ((clientX - box.left) / box.width) * width, y: ((clientY - box.top) / box.height) * height };
}

/** The gap among spreads, in their order, that a point is nearest to. */
export function gapAt(boxes: readonly DOMRect[], x: number, y: number): number {
  const far = ({ left, right, top, bottom }: DOMRect) => Math.hypot(x - (left + right) / 2, (y - (top + bottom) / 2) * 2);
  const nearest = boxes.reduce((best, box, place) => (far(box) < far(boxes[best] ?? box) ? place : best), 0);
  const box = boxes[nearest];
  return box && x > (box.left + box.right) / 2 ? nearest + 1 : nearest;
}

/** Lets spreads be carried: by the mouse at once, by a finger that rests on one first. Returns how to end that. */
export function carrySpreads(list: HTMLElement, show: (gap: Gap | undefined) => void, move: (left: number, to: number) => void): () => void {
  const life = new AbortController();
  const { signal } = life;
  let pressed: { item: HTMLElement; id: number; x: number; y: number; held?: ReturnType<typeof setTimeout> } | undefined;
  let carried: { item: HTMLElement; x: number; y: number; scrolled: number; gap: number; frame: number } | undefined;
  let isClickDone = false;
  const items = () => [...list.querySelectorAll<HTMLElement>("[data-left]")];

  const begin = (item: HTMLElement, id: number, x: number, y: number) => {
    carried = { item, x, y, scrolled: list.scrollTop, gap: items().indexOf(item), frame: requestAnimationFrame(() => scroll(x, y)) };
    // one that is gone already can't be captured; its end comes to the window
    try {
      list.setPointerCapture(id);
    } catch (reason) {
      if (!(reason instanceof DOMException)) throw reason;
    }
  };
  const follow = (x: number, y: number) => {
    if (!carried) return;
    carried.item.style.transform = `translate(${x - carried.x}px, ${y - carried.y + list.scrollTop - carried.scrolled}px)`;
    const others = items().map((item) => item === carried?.item ? undefined : item.getBoundingClientRect());
    const own = others.indexOf(undefined);
    // taken away meanwhile
    if (own < 0) {
      end(false);
      return;
    }
    const gap = gapAt(others.filter((box) => box !== undefined), x, y);
    // among all of them, its own place counts, too
    carried.gap = gap > own ? gap + 1 : gap;
    show({ place: carried.gap, left: Number(carried.item.dataset.left) });
    cancelAnimationFrame(carried.frame);
    carried.frame = requestAnimationFrame(() => scroll(x, y));
  };
  const scroll = (x: number, y: number) => {
    const { top, bottom } = list.getBoundingClientRect();
    const by = y < top + EDGE ? -STEP : y > bottom - EDGE ? STEP : 0;
    const before = list.scrollTop;
    list.scrollTop += by;
    if (list.scrollTop !== before) follow(x, y);
  };
  const end = (isDone: boolean) => {
    clearTimeout(pressed?.held);
    pressed = undefined;
    if (!carried) return;
    const { item, gap, frame } = carried;
    cancelAnimationFrame(frame);
    const all = items();
    const own = all.indexOf(item);
    const to = gap > own ? gap - 1 : gap;
    item.style.transform = "";
    carried = undefined;
    isClickDone = true;
    setTimeout(() => (isClickDone = false));
    show(undefined);
    if (isDone && own >= 0 && to !== own) move(Number(item.dataset.left), Number(all[to]?.dataset.left));
  };

  list.addEventListener("pointerdown", (event) => {
    const target = event.target as Element;
    const item = target.closest<HTMLElement>("[data-left]");
    if (!item || carried || event.button !== 0 || !target.closest("[data-spread]")) return;
    const { pointerId: id, clientX: x, clientY: y } = event;
    // a press whose end nobody heard is over
    clearTimeout(pressed?.held);
    pressed = { item, id, x, y };
    if (event.pointerType !== "mouse") pressed.held = setTimeout(() => begin(item, id, x, y), HELD);
  }, { signal });
  // the hand may leave the list before it carries, and let go elsewhere
  addEventListener("pointermove", ({ pointerId, pointerType, buttons, clientX, clientY }) => {
    if (pointerId !== pressed?.id) return;
    if (buttons === 0) {
      end(false);
      return;
    }
    const isFar = Math.hypot(clientX - pressed.x, clientY - pressed.y) >= SLOP;
    if (!carried && isFar && pointerType === "mouse") begin(pressed.item, pressed.id, pressed.x, pressed.y);
    else if (!carried && isFar) end(false);
    follow(clientX, clientY);
  }, { signal });
  for (const type of ["pointerup", "pointercancel"] as const) {
    addEventListener(type, ({ pointerId }) => pointerId === pressed?.id && end(type === "pointerup"), { signal });
  }
  // a finger that carries does not scroll
  list.addEventListener("touchmove", (event) => carried && event.preventDefault(), { signal, passive: false });
  list.addEventListener("contextmenu", (event) => (carried ?? pressed?.held) !== undefined && event.preventDefault(), { signal });
  list.addEventListener("dragstart", (event) => event.preventDefault(), { signal });
  list.addEventListener("click", (event) => isClickDone && event.stopPropagation(), { signal, capture: true });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !carried) return;
    event.preventDefault();
    end(false);
  }, { signal, capture: true });
  return () => {
    end(false);
    life.abort();
  };
}
