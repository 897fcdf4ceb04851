// Operations and how they change a document. The server (`domain::edit`) does the same; vectors that it writes hold the two
// together.
import { type Document, type Element, type Page, type Rect, type Size, allPages, pageOf } from "./document.js";
import { LIMITS, MASKS, ORNAMENTS, SAID } from "../generated/edit_rules.js";
import { boundsOf } from "./geometry.js";
import { inserted, replaced, without } from "./lists.js";

export type Change =
  | { op: "set"; page: string; element?: string; name: string; value: unknown }
  | { op: "remove"; page: string; element: string }
  | { op: "add"; page: string; element: Element; to?: number }
  | { op: "order"; page: string; element: string; to: number }
  /** Two facing pages come: behind the first page, or behind the right one of two. */
  | { op: "insert"; page: string; pages: Page[] }
  /** A left page and the one that it faces go. */
  | { op: "discard"; page: string }
  /** They change places with the two behind them. */
  | { op: "swap"; page: string };

/** A change with the name under which it is made once. */
export type Operation = Change & { id: string };

/** Why a change can't be made, in the member's words. Nothing was changed. */
export class Refused extends Error {}

/** Why, in the words of the rules; `about` is what the sentence is about. */
const refused = (why: keyof typeof SAID, about = "") => new Refused(SAID[why].replace("{}", about));

/** Whether another page may stand in a page's place afterwards. */
export const movesPages = ({ op }: Change) => op === "insert" || op === "discard" || op === "swap";

/** Makes a change and answers the one that undoes it. Elements and lists of elements are replaced, never changed. */
export function apply(document: Document, change: Change): Change {
  if (change.op === "insert" || change.op === "discard" || change.op === "swap") return applyToPages(document, change);
  const page = pageOf(document, change.page);
  if (!page) throw refused("unknownPage");
  switch (change.op) {
    case "set":
      return change.element === undefined ? setPage(page, change) : setElement(document.trim, page, change.element, change);
    case "remove": {
      const [place, element] = found(page, change.element);
      page.elements = without(page.elements, place);
      return { op: "add", page: page.id, element, to: place };
    }
    case "add": {
      const element = normal(change.element);
      if (!element.id) throw refused("noId");
      check(element, document.trim);
      if (allPages(document).some((page) => page.elements.some(({ id }) => id === element.id))) throw refused("takenId", element.id);
      if (page.elements.length >= LIMITS.onPage) throw refused("crowded");
      const to = change.to ?? page.elements.length;
      if (to > page.elements.length) throw refused("noSuchPlace");
      page.elements = inserted(page.elements, to, element);
      return { op: "remove", page: page.id, element: element.id };
    }
    case "order": {
      const [place, element] = found(page, change.element);
      if (change.to >= page.elements.length) throw refused("noSuchPlace");
      page.elements = inserted(without(page.elements, place), change.to, element);
      return { op: "order", page: page.id, element: element.id, to: place };
    }
  }
}

function applyToPages(document: Document, change: Extract<Change, { op: "insert" | "discard" | "swap" }>): Change {
  const { pages } = document;
  if (!isFree(document)) throw refused("fixedPages");
  const at = pages.findIndex(({ id }) => id === change.page);
  if (at < 0) throw refused("unknownPage");
  // left pages have odd places, and face another
  const isLeft = (place: number) => place % 2 === 1 && place + 1 < pages.length;
  if (change.op === "insert") {
    const [left, right] = change.pages.map(normalPage);
    if (!left || !right || change.pages.length !== 2 || at % 2 === 1) throw refused("noPair");
    if (pages.length + 2 > LIMITS.pages) throw refused("tooManyPages");
    checkNew(document, [left, right]);
    document.pages = [...pages.slice(0, at + 1), left, right, ...pages.slice(at + 1)];
    return { op: "discard", page: left.id };
  }
  const [before, left, right, next, last] = [pages[at - 1], pages[at], pages[at + 1], pages[at + 2], pages[at + 3]];
  if (!isLeft(at) || !before || !left || !right) throw refused("noPair");
  if (change.op === "discard") {
    document.pages = [...pages.slice(0, at), ...pages.slice(at + 2)];
    return { op: "insert", page: before.id, pages: [left, right] };
  }
  if (!next || !last) throw refused("noPair");
  document.pages = [...pages.slice(0, at), next, last, left, right, ...pages.slice(at + 4)];
  return { op: "swap", page: next.id };
}

/** Whether a work's pages follow from no months and no manuscript. */
function isFree(document: Document): boolean {
  const isCalendar = document.pages.some(({ elements }) => elements.some((element) => element.kind === "month" && element.part === "grid"));
  return !isCalendar && !allPages(document).some(({ elements }) => elements.some(({ kind }) => kind === "pdf"));
}

function checkNew(document: Document, pages: Page[]): void {
  const known = new Set(allPages(document).map(({ id }) => id));
  const elements = new Set(allPages(document).flatMap((page) => page.elements.map(({ id }) => id)));
  for (const page of pages) {
    if (known.has(page.id)) throw refused("takenPage", page.id);
    known.add(page.id);
    if (page.elements.length > LIMITS.onPage) throw refused("crowded");
    for (const element of page.elements) {
      if (!element.id) throw refused("noId");
      check(element, document.trim);
      if (elements.has(element.id)) throw refused("takenId", element.id);
      elements.add(element.id);
    }
  }
}

function found(page: Page, id: string): [number, Element] {
  const place = page.elements.findIndex((element) => element.id === id);
  const element = page.elements[place];
  if (!element) throw refused("unknownElement");
  return [place, element];
}

type Setting = Extract<Change, { op: "set" }>;

function setElement(trim: Size, page: Page, id: string, { name, value }: Setting): Change {
  const [place, element] = found(page, id);
  if (!OF_ALL.includes(name) && !OF_KIND[element.kind].includes(name)) throw refused("unknownProperty", name);
  const before = (element as unknown as Record<string, unknown>)[name] ?? null;
  if (!isValue(name, value)) throw refused("wrongValue", name);
  const changed = normal({ ...element, [name]: value ?? undefined });
  check(changed, trim);
  page.elements = replaced(page.elements, place, changed);
  return { op: "set", page: page.id, element: id, name, value: before };
}

function setPage(page: Page, { name, value }: Setting): Change {
  const before = (page as unknown as Record<string, unknown>)[name] ?? null;
  const fits: Record<string, (value: unknown) => boolean> = {
    theme: (theme) => typeof theme === "string",
    ground: (ground) => ["paper", "tint", "deep"].includes(ground as string),
    background: isColour,
  };
  const fit = fits[name];
  if (!fit) throw refused("unknownProperty", name);
  if (value !== null && !fit(value)) throw refused("wrongValue", name);
  const changed: Page = { ...page, [name]: value ?? undefined };
  for (const key of Object.keys(page)) Reflect.deleteProperty(page, key);
  Object.assign(page, normalPage(changed));
  return { op: "set", page: page.id, name, value: before };
}

/** A page as it is written, in its order. */
export function normalPage({ id, theme, ground, background, elements }: Page): Page {
  const own = { theme, ground: ground === "paper" ? undefined : ground, background: background?.toLowerCase() };
  return { id, ...given(own), elements: elements.map(normal) };
}

const OF_ALL = ["frame", "rotation", "locked"];
const OF_KIND: Record<Element["kind"], string[]> = {
  photo: ["photo", "crop", "border", "radius", "mask"],
  text: ["role", "text", "size", "align", "colour", "weight", "font"],
  shape: ["shape", "fill", "border", "radius"],
  pdf: [],
  code: ["address"],
  month: [],
};

/** The order in which an element's properties are written. */
const ORDER = ["kind", "id", "rotation", "locked", "photo", "file", "page", "shape", "frame", "crop", "role", "text", "size", "align", "colour", "weight", "font", "fill", "border", "radius", "mask", "address"];
const USUAL: Record<string, unknown> = { rotation: 0, locked: false, size: 0 };

/** An element as it is written: what is as usual is not said. */
export function normal<E extends Element>(element: E): E {
  const fields = element as unknown as Record<string, unknown>;
  const names = element.kind === "month" ? Object.keys(fields) : ORDER.filter((name) => name in fields);
  // months have more than is known here, behind what all have
  if (element.kind === "month") names.sort((one, other) => rank(one) - rank(other));
  const said = names.filter((name) => fields[name] !== undefined && fields[name] !== null && fields[name] !== USUAL[name]);
  return Object.fromEntries(said.map((name) => [name, written(name, fields[name])])) as unknown as E;
}

const MONTH_ORDER = ["kind", "id", "rotation", "locked", "frame", "part", "month", "week_start", "anniversaries", "days_off"];
const rank = (name: string) => MONTH_ORDER.indexOf(name) + 1 || MONTH_ORDER.length + 1;

function written(name: string, value: unknown): unknown {
  if (name === "colour" || name === "fill") return (value as string).toLowerCase();
  if (name === "frame" || name === "crop") {
    const { x, y, width, height } = value as Rect;
    return { x, y, width, height };
  }
  if (name === "border") {
    const { width, colour } = value as { width: number; colour: string };
    return { width, colour: colour.toLowerCase() };
  }
  return value;
}

function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

const PALETTE = ["text", "strong", "quiet", "accent", "light", "paper"];
const isColour = (value: unknown) => typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value);
const isInk = (value: unknown) => isColour(value) || PALETTE.includes(value as string);
const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

function isRect(value: unknown): value is Rect {
  if (typeof value !== "object" || value === null) return false;
  const { x, y, width, height } = value as Partial<Rect>;
  return [x, y, width, height].every(isNumber);
}

/** Whether a property may have a value; null is what is not said. */
function isValue(name: string, value: unknown): boolean {
  const among = (...words: string[]) => words.includes(value as string);
  switch (name) {
    case "frame":
    case "crop":
      return isRect(value);
    case "photo":
      return typeof value === "string" && /^[\w-]{1,40}$/.test(value);
    case "text":
    case "address":
      return typeof value === "string";
    case "role":
      return among("title", "subtitle", "heading", "caption", "body");
    case "shape":
      return among("rect", "ellipse", "line", ...ORNAMENTS.map(({ code }) => code));
  }
  if (value === null) return true;
  switch (name) {
    case "locked":
      return typeof value === "boolean";
    case "rotation":
    case "radius":
      return isNumber(value);
    case "size":
      return Number.isInteger(value) && Math.abs(value as number) < 128;
    case "align":
      return among("left", "center", "right", "justify");
    case "weight":
      return among("regular", "bold");
    case "mask":
      return among(...MASKS.map(({ code }) => code));
    case "font":
      return among("sans", "serif", "brush", "xiaowei");
    case "colour":
    case "fill":
      return isInk(value);
    case "border": {
      const { width, colour } = value as { width?: unknown; colour?: unknown };
      return isNumber(width) && isInk(colour);
    }
    default:
      return false;
  }
}

/** Of a code: schemes are read in either case. */
const isAddress = (address: string) => /^https?:\/\/[^\s\u0000-\u001f\u007f-\u009f]+$/i.test(address) && new TextEncoder().encode(address).length <= LIMITS.address;

const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Words from anywhere as a text may have them. */
export function plain(text: string): string {
  const lines = text.replaceAll(/\r\n?|\u2028|\u2029/g, "\n").replaceAll(UNPRINTABLE, "");
  return Array.from(lines).slice(0, LIMITS.words).join("");
}

/** Whether something can stand on a page of this size (`domain::document::limits`). */
export function check(element: Element, trim: Size): void {
  const { frame, rotation = 0 } = element;
  if (!(Math.abs(rotation) <= LIMITS.rotation)) throw refused("rotation");
  if (![frame.x, frame.y, frame.width, frame.height].every(isNumber) || Math.min(frame.width, frame.height) < LIMITS.leastSide) {
    throw refused("frame");
  }
  const around = boundsOf(frame, rotation);
  const near = (from: number, size: number, page: number) => from >= -page / 2 && from + size <= page * 1.5;
  if (!near(around.x, around.width, trim.width) || !near(around.y, around.height, trim.height)) throw refused("farAway");
  if (element.kind === "photo" || element.kind === "pdf") {
    const inside = (from: number, size: number) => from >= -1e-6 && size > 1e-4 && from + size <= 1 + 1e-6;
    const { crop } = element;
    if (!inside(crop.x, crop.width) || !inside(crop.y, crop.height)) throw refused("crop");
  }
  if (element.kind === "photo" || element.kind === "shape") {
    const { border, radius } = element;
    if (border && !(border.width >= 0 && border.width <= LIMITS.border)) throw refused("border");
    if (radius !== undefined && !(radius >= 0 && radius <= LIMITS.radius)) throw refused("radius");
  }
  if (element.kind === "code" && !isAddress(element.address)) throw refused("address");
  if (element.kind === "text") {
    if (element.text.search(UNPRINTABLE) >= 0) throw refused("control");
    if (Array.from(element.text).length > LIMITS.words) throw refused("textLength");
    const [[least, most], size] = [LIMITS.sizes, element.size ?? 0];
    if (size < least || size > most) throw refused("size");
  }
}
