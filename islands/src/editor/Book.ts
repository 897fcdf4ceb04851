// The document as signals: one for each element, so that whatever changes is drawn and nothing else.
import { type ReadonlySignal, type Signal, batch, computed, signal } from "@preact/signals-react";
import { type Document, type Element, type Page, type Rect, allPages } from "./document.js";
import { readingOrder } from "./arrange.js";
import { type Change, apply, movesPages } from "./edit.js";
import type { Placement } from "./geometry.js";

/** Properties that change where an element stands, and not what its picture shows. */
const ONLY_PLACE = new Set(["rotation", "locked"]);

export class ElementModel {
  readonly id: string;
  readonly value: Signal<Element>;
  /** Where a gesture has it, until the hand lets go. */
  readonly live = signal<Placement | undefined>(undefined);
  /** The revision whose picture shows it as it is; 0 while none does. */
  readonly drawn: Signal<number>;
  readonly placed: ReadonlySignal<Placement> = computed(() => {
    const { frame, rotation = 0 } = this.value.value;
    return this.live.value ?? { frame, rotation };
  });
  /** Of a photo: the part that is shown. */
  readonly crop: ReadonlySignal<Rect | undefined> = computed(() => {
    const value = this.value.value;
    return this.live.value?.crop ?? (value.kind === "photo" || value.kind === "pdf" ? value.crop : undefined);
  });

  constructor(value: Element, revision: number) {
    this.id = value.id;
    this.value = signal(value);
    this.drawn = signal(revision);
  }

  get frame(): Rect {
    return this.value.peek().frame;
  }

  get rotation(): number {
    return this.value.peek().rotation ?? 0;
  }

  get isLocked(): boolean {
    return this.value.peek().locked ?? false;
  }
}

export type PageLook = Pick<Page, "theme" | "ground" | "background">;

export class PageModel {
  readonly id: string;
  /** 0 is the cover. */
  readonly number: Signal<number>;
  readonly look: Signal<PageLook>;
  /** The lowest first. */
  readonly elements = signal<ElementModel[]>([]);
  /** The ids of what stands on it as they are read. */
  readonly reading: ReadonlySignal<string[]> = computed(() => {
    const items = this.elements.value.map(({ id, value }) => ({ id, frame: value.value.frame, rotation: value.value.rotation ?? 0 }));
    return readingOrder(items);
  });
  /** The revision that has all of it; 0 while changes are on their way. */
  readonly drawn: Signal<number>;
  /** The revision whose picture is decoded, and the address of that picture. */
  readonly shown = signal(0);
  address: string | undefined;
  /** Its picture does not come. */
  readonly isMissing = signal(false);
  /** Where its newest picture is: in which revision, and under which number there. */
  readonly picture: Signal<{ revision: number; number: number } | undefined>;
  /** The revision with its background. */
  readonly backdrop: Signal<number>;
  /** Whether its picture is what will be printed. */
  readonly isTrue: ReadonlySignal<boolean> = computed(() => this.drawn.value !== 0 && this.shown.value === this.drawn.value);

  constructor({ id, theme, ground, background }: Page, number: number, revision: number) {
    this.id = id;
    this.number = signal(number);
    this.look = signal({ theme, ground, background });
    this.drawn = signal(revision);
    this.picture = signal(revision === 0 ? undefined : { revision, number });
    this.backdrop = signal(revision);
  }

  /** The picture of a revision is decoded. */
  show(address: string, revision: number): void {
    this.address = address;
    batch(() => {
      this.isMissing.value = false;
      this.shown.value = revision;
    });
  }

  /** All of it is in a revision. */
  draw(revision: number): void {
    this.drawn.value = revision;
    this.picture.value = { revision, number: this.number.peek() };
  }

  /** So is what it is made of: the whole book looks another way. */
  drawAll(revision: number): void {
    this.draw(revision);
    this.backdrop.value = revision;
    for (const element of this.elements.peek()) element.drawn.value = revision;
  }
}

export class Book {
  /** What the editor shows: the newest revision with everything that was done since. */
  document: Document;
  readonly pages = signal<PageModel[]>([]);
  /** The newest revision that is known. */
  revision: number;
  readonly #elements = new Map<string, ElementModel>();
  /** Those that were left out, too: they may come back. */
  readonly #pages = new Map<string, PageModel>();

  constructor(document: Document, revision: number) {
    this.document = document;
    this.revision = revision;
    this.load(document, revision);
  }

  /** Takes another document over. What is the same in both stays as it is drawn. */
  load(document: Document, revision: number): void {
    const before = new Map(allPages(this.document).map((page) => [page.id, JSON.stringify(page)]));
    const ofAll = ({ theme, emoji, trim: { width, height } }: Document) => [theme, emoji, width, height].join();
    const isOther = ofAll(document) !== ofAll(this.document);
    this.document = document;
    this.revision = revision;
    batch(() => {
      const known = new Map(this.pages.peek().map((page) => [page.id, page]));
      this.pages.value = allPages(document).map((page, number) => {
        const model = known.get(page.id) ?? this.#new(page, number, revision);
        const isSame = before.get(page.id) === JSON.stringify(page) && model.drawn.peek() !== 0;
        model.number.value = number;
        if (!isSame) model.draw(revision);
        if (!isSame) this.#sync(model, page, revision);
        else if (model.elements.peek().length === 0) this.#sync(model, page, revision);
        if (isOther) model.drawAll(revision);
        return model;
      });
    });
  }

  #sync(model: PageModel, page: Page, revision: number): void {
    const { theme, ground, background } = page;
    const look = model.look.peek();
    if (look.theme !== theme || look.ground !== ground || look.background !== background) {
      model.look.value = { theme, ground, background };
      model.backdrop.value = revision;
      for (const element of page.elements) this.#elements.delete(element.id);
    }
    model.elements.value = page.elements.map((element) => {
      const known = this.#elements.get(element.id);
      if (!known) return this.#add(element, revision);
      if (JSON.stringify(known.value.peek()) !== JSON.stringify(element)) {
        known.value.value = element;
        known.drawn.value = revision;
      } else if (known.drawn.peek() === 0) known.drawn.value = revision;
      return known;
    });
  }

  #add(element: Element, revision: number): ElementModel {
    const model = new ElementModel(element, revision);
    this.#elements.set(element.id, model);
    return model;
  }

  element(id: string | undefined): ElementModel | undefined {
    const model = id === undefined ? undefined : this.#elements.get(id);
    return model && this.pageOf(model.id) ? model : undefined;
  }

  pageOf(element: string): PageModel | undefined {
    return this.pages.peek().find((page) => page.elements.peek().some(({ id }) => id === element));
  }

  page(id: string): PageModel | undefined {
    return this.pages.peek().find((page) => page.id === id);
  }

  /** Makes a change and answers the one that undoes it; throws what it was refused for. */
  make(change: Change): Change {
    const undo = apply(this.document, change);
    const page = this.page(change.page);
    if (movesPages(change)) batch(() => this.#arrange());
    else if (page) batch(() => this.#show(page, change));
    return undo;
  }

  /** Pages came, went or moved: whatever stays is drawn already, wherever it stands now. */
  #arrange(): void {
    const shown = new Set(this.pages.peek());
    this.pages.value = allPages(this.document).map((page, number) => {
      const model = this.#pages.get(page.id) ?? this.#new(page, number, 0);
      if (!shown.has(model)) model.elements.value = page.elements.map((element) => this.#taken(element));
      model.number.value = number;
      return model;
    });
  }

  #new(page: Page, number: number, revision: number): PageModel {
    const model = new PageModel(page, number, revision);
    this.#pages.set(page.id, model);
    return model;
  }

  #show(model: PageModel, change: Change): void {
    const page = allPages(this.document).find(({ id }) => id === model.id);
    if (!page) return;
    model.drawn.value = 0;
    if (change.op === "set" && change.element === undefined) {
      const { theme, ground, background } = page;
      model.look.value = { theme, ground, background };
      model.backdrop.value = 0;
      // words follow the page's colours
      for (const element of model.elements.peek()) element.drawn.value = 0;
    } else if (change.op === "set") {
      const element = this.#elements.get(change.element ?? "");
      const value = page.elements.find(({ id }) => id === change.element);
      if (!element || !value) return;
      if (changesPicture(change.name, element.value.peek(), value)) element.drawn.value = 0;
      element.value.value = value;
    } else {
      model.elements.value = page.elements.map((element) => this.#taken(element));
    }
  }

  /** The model of an element that may have stood elsewhere, or nowhere for a while: its old picture still shows it. */
  #taken(element: Element): ElementModel {
    const known = this.#elements.get(element.id);
    if (!known) return this.#add(element, 0);
    const before = known.value.peek();
    if (before !== element) {
      if (changesPicture("frame", before, element) || !sameButPlace(before, element)) known.drawn.value = 0;
      known.value.value = element;
    }
    return known;
  }

  /** The server has changes: pictures of them can be had, but for what is on its way still. */
  acknowledged(revision: number, made: Change[], coming: Change[]): void {
    this.revision = revision;
    const open = new Set(coming.flatMap(pagesOf));
    const elementsOpen = new Set(coming.map(elementOf));
    // what was taken away at last is in no picture of this revision, even if it comes back
    const isGone = new Map(made.map((change) => [elementOf(change), change.op === "remove"]));
    // a page's picture is known by its number, and that is another one by now
    const isMoved = coming.some(movesPages);
    batch(() => {
      for (const change of made) {
        const element = this.#elements.get(elementOf(change));
        if (element?.drawn.peek() === 0 && !elementsOpen.has(element.id) && !isGone.get(element.id)) element.drawn.value = revision;
      }
      for (const page of this.pages.peek()) {
        if (page.drawn.peek() !== 0 || open.has(page.id) || isMoved) continue;
        page.draw(revision);
        if (page.backdrop.peek() !== 0) continue;
        page.backdrop.value = revision;
        for (const element of page.elements.peek()) if (element.drawn.peek() === 0) element.drawn.value = revision;
      }
    });
  }
}

/** The element that a change is about; empty where it is about pages. */
export function elementOf(change: Change): string {
  if (change.op === "add") return change.element.id;
  return "element" in change ? (change.element ?? "") : "";
}

/** The pages that change with it. */
const pagesOf = (change: Change) => (change.op === "insert" ? change.pages.map(({ id }) => id) : [change.page]);

/** Whether a picture of the element by itself is another one. */
function changesPicture(name: string, before: Element, after: Element): boolean {
  if (ONLY_PLACE.has(name)) return false;
  return name !== "frame" || before.frame.width !== after.frame.width || before.frame.height !== after.frame.height;
}

function sameButPlace(one: Element, other: Element): boolean {
  const bare = (element: Element) => JSON.stringify({ ...element, frame: null, rotation: null, locked: null });
  return bare(one) === bare(other);
}
