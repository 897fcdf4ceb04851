// Which pages are open, how large they are on the screen, and where.
import { batch, computed, signal } from "@preact/signals-react";
import type { EditorCover } from "../generated/works.js";
import type { Rect, Size } from "./document.js";
import type { Book, PageModel } from "./Book.js";
import type { Point } from "./geometry.js";

/** Pixels around the pages when they fit. */
const AIR = 28;
/** Narrower stages show one page at a time. */
const NARROW = 600;
const [LEAST, MOST] = [0.25, 12];
/** Pixels of the pages that can't be pushed off the stage. */
const IN_SIGHT = 64;

/** Pixels around a thing that its handles take. */
const HANDLES = 28;
/** Pixels below which the handles of a thing leave nothing of it to a finger: their targets are 44 px wide, and what is between
 * them is to be moved. */
export const SMALL = 56;

/** A page that is open, with the place of its corner on the spread, in mm. */
export interface Open {
  page: PageModel;
  x: number;
}

/** A place on a page, in mm. */
export interface Spot extends Point {
  page: PageModel;
}

export class View {
  /** Of the stage, in pixels. */
  readonly stage = signal<Size>({ width: 0, height: 0 });
  readonly number = signal(0);
  /** Of what fits. */
  readonly zoom = signal(1);
  /** How far the spread is pushed from the middle, in pixels. */
  readonly pan = signal<Point>({ x: 0, y: 0 });

  readonly #book: Book;
  readonly #isSingle: boolean;
  readonly #cover: EditorCover | null | undefined;

  readonly isNarrow = computed(() => this.stage.value.width < NARROW);
  readonly open = computed<Open[]>(() => {
    const pages = this.#book.pages.value;
    const isNarrow = this.isNarrow.value;
    const numbers = spreadOf(this.number.value, pages.length - 1, this.#isSingle || isNarrow);
    return numbers.flatMap((number, place) => {
      const page = pages[number];
      return page ? [{ page, x: place * this.#book.document.trim.width }] : [];
    });
  });
  /** The pages that are seen at once in the book, also where one is shown at a time. */
  readonly spread = computed<PageModel[]>(() => {
    const pages = this.#book.pages.value;
    return spreadOf(this.number.value, pages.length - 1, this.#isSingle).flatMap((number) => pages[number] ?? []);
  });
  /** The sheet that the front is a part of, on the spread, where the front is open. */
  readonly cover = computed<Rect | undefined>(() => {
    const isOpen = this.number.value === 0;
    if (!this.#cover || !isOpen) return undefined;
    const { above, right, width, height } = this.#cover;
    return { x: this.#book.document.trim.width + right - width, y: -above, width, height };
  });
  /** A phone has the front alone, until somebody steps back from it. */
  readonly #isAway = signal(false);
  readonly seesCover = computed(() => {
    const [isNarrow, isAway] = [this.isNarrow.value, this.#isAway.value];
    return this.cover.value !== undefined && (!isNarrow || isAway);
  });
  /** What fits, on the spread: the open pages, or the whole cover. */
  readonly #all = computed<Rect>(() => {
    const { width, height } = this.#book.document.trim;
    const pages = { x: 0, y: 0, width: width * Math.max(1, this.open.value.length), height };
    const cover = this.cover.value;
    return this.seesCover.value ? (cover ?? pages) : pages;
  });
  /** Pixels for a millimetre where everything fits. */
  readonly fit = computed(() => {
    const { width, height } = this.stage.value;
    const air = this.isNarrow.value ? AIR / 2 : AIR;
    const fit = Math.min((width - 2 * air) / this.#all.value.width, (height - 2 * air) / this.#all.value.height);
    return Math.max(fit, 0.2);
  });
  readonly scale = computed(() => this.fit.value * this.zoom.value);
  /** Where the spread's corner lies on the stage, in pixels. */
  readonly origin = computed<Point>(() => {
    const { width, height } = this.stage.value;
    const { x, y } = this.pan.value;
    const [all, scale] = [this.#all.value, this.scale.value];
    return {
      x: (width - all.width * scale) / 2 - all.x * scale + x,
      y: (height - all.height * scale) / 2 - all.y * scale + y,
    };
  });

  constructor(book: Book, number: number, isSingle: boolean, cover?: EditorCover | null) {
    this.#book = book;
    this.#isSingle = isSingle;
    this.#cover = cover;
    this.number.value = number;
  }

  goTo(number: number): void {
    const last = this.#book.pages.peek().length - 1;
    const to = Math.min(Math.max(number, 0), last);
    if (this.open.peek().some(({ page }) => page.number.peek() === to)) return;
    batch(() => {
      this.number.value = to;
      this.fitAll();
    });
  }

  /** The spread before or after. */
  turn(by: -1 | 1): void {
    const numbers = this.open.peek().map(({ page }) => page.number.peek());
    this.goTo(by < 0 ? Math.min(...numbers) - 1 : Math.max(...numbers) + 1);
  }

  /** A point of the stage, in pixels from its corner, as a place on the page under it, or on the nearest one. */
  spot({ x, y }: Point, on?: PageModel): Spot | undefined {
    const [origin, scale] = [this.origin.peek(), this.scale.peek()];
    const across = (x - origin.x) / scale;
    const open = this.open.peek();
    const found = on ? open.find(({ page }) => page === on) : open.findLast((candidate) => across >= candidate.x) ?? open[0];
    return found && { page: found.page, x: across - found.x, y: (y - origin.y) / scale };
  }

  /** Enlarges about a point of the stage, which keeps its place. */
  zoomBy(factor: number, at?: Point): void {
    const isFit = this.zoom.peek() === 1;
    if (isFit && this.isNarrow.peek() && this.cover.peek() && factor < 1 !== this.#isAway.peek()) {
      batch(() => {
        this.fitAll();
        this.#isAway.value = factor < 1;
      });
      return;
    }
    const { width, height } = this.stage.peek();
    const about = at ?? { x: width / 2, y: height / 2 };
    const zoom = Math.min(Math.max(this.zoom.peek() * factor, LEAST), MOST);
    const by = zoom / this.zoom.peek();
    const pan = this.pan.peek();
    const keep = (at: number, middle: number, pan: number) => at - middle - (at - middle - pan) * by;
    batch(() => {
      this.zoom.value = zoom;
      this.pan.value = { x: keep(about.x, width / 2, pan.x), y: keep(about.y, height / 2, pan.y) };
    });
  }

  /** Some of the pages stays in sight. */
  panBy(dx: number, dy: number): void {
    const [stage, size, scale, pan] = [this.stage.peek(), this.#all.peek(), this.scale.peek(), this.pan.peek()];
    const within = (to: number, stage: number, spread: number) => {
      const most = Math.max((stage + spread) / 2 - IN_SIGHT, 0);
      return Math.min(Math.max(to, -most), most);
    };
    this.pan.value = { x: within(pan.x + dx, stage.width, size.width * scale), y: within(pan.y + dy, stage.height, size.height * scale) };
  }

  show(zoom: number, pan: Point): void {
    batch(() => {
      this.zoom.value = zoom;
      this.pan.value = pan;
    });
  }

  fitAll(): void {
    batch(() => {
      this.#isAway.value = false;
      this.show(1, { x: 0, y: 0 });
    });
  }

  /** A rectangle of an open page on the stage, in pixels. */
  #onStage(page: PageModel, rect: Rect): Rect | undefined {
    const open = this.open.peek().find((candidate) => candidate.page === page);
    const [origin, scale] = [this.origin.peek(), this.scale.peek()];
    return open && { x: origin.x + (open.x + rect.x) * scale, y: origin.y + rect.y * scale, width: rect.width * scale, height: rect.height * scale };
  }

  /** Whether anything of a rectangle of a page is on the stage. */
  sees(page: PageModel, rect: Rect): boolean {
    const at = this.#onStage(page, rect);
    const { width, height } = this.stage.peek();
    return at !== undefined && at.x < width && at.y < height && at.x + at.width > 0 && at.y + at.height > 0;
  }

  /**
   * Brings a rectangle of a page into sight, where it can be worked on: nearer if its shorter side is small there, else only as far as needed.
   * All of it is seen, whatever its handles would take.
   */
  bring(page: PageModel, rect: Rect, side: number): void {
    const at = this.#onStage(page, rect);
    const { width, height } = this.stage.peek();
    if (!at) return;
    const isLarge = at.width > width - 2 * HANDLES || at.height > height - 2 * HANDLES;
    if (isLarge || side * this.scale.peek() < SMALL) {
      this.fitTo(page, rect);
      return;
    }
    const by = (from: number, length: number, stage: number) => Math.max(HANDLES - from, 0) + Math.min(stage - HANDLES - from - length, 0);
    const pan = this.pan.peek();
    this.pan.value = { x: pan.x + by(at.x, at.width, width), y: pan.y + by(at.y, at.height, height) };
  }

  /**
   * Shows a rectangle of a page as large as it fits; larger where a side of it would be too small for handles. Of what is
   * wider than the stage then, the part at `begin` is seen, from 0 to 1 across.
   */
  fitTo(page: PageModel, rect: Rect, side = Infinity, begin = 0.5): void {
    const open = this.open.peek().find((candidate) => candidate.page === page);
    if (!open) return;
    const { width, height } = this.stage.peek();
    const air = this.isNarrow.peek() ? AIR : 4 * AIR;
    const fitting = Math.min((width - air) / rect.width, (height - air) / rect.height);
    const scale = Math.max(fitting, (SMALL + 1) / side);
    const zoom = Math.min(Math.max(scale / this.fit.peek(), LEAST), MOST);
    const px = this.fit.peek() * zoom;
    const all = this.#all.peek();
    const over = Math.max(rect.width * px - (width - air), 0);
    batch(() => {
      this.zoom.value = zoom;
      this.pan.value = {
        x: (all.x + all.width / 2 - open.x - rect.x - rect.width / 2) * px + over * (0.5 - begin),
        y: (all.y + all.height / 2 - rect.y - rect.height / 2) * px,
      };
    });
  }
}

/** The pages that are seen at once with this one: the cover and the first stand alone, others face each other. */
export function spreadOf(number: number, last: number, isSingle: boolean): number[] {
  if (number < 2 || isSingle) return [Math.min(number, last)];
  const left = number - (number % 2);
  return [left, left + 1].filter((page) => page <= last);
}
