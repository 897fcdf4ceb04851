// A work's document as the server writes it (`domain::document`): millimetres and degrees.
import { type MASKS, ORNAMENTS } from "../generated/edit_rules.js";

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Size {
  width: number;
  height: number;
}

/** A line along the edge of something, inside its frame. */
export interface Border {
  width: number;
  /** A colour of the theme by its name, or `#rrggbb`. */
  colour: string;
}

interface Common {
  id: string;
  /** Degrees, clockwise. */
  rotation?: number;
  locked?: boolean;
  frame: Rect;
}

/** The outline that a photo is cut to inside its frame. */
export type Mask = (typeof MASKS)[number]["code"];

/** A drawing that the house keeps. */
export type Ornament = (typeof ORNAMENTS)[number]["code"];

export type ShapeKind = "rect" | "ellipse" | "line" | Ornament;

export interface PhotoElement extends Common {
  kind: "photo";
  photo: string;
  /** Fractions of the upright photo. */
  crop: Rect;
  border?: Border;
  radius?: number;
  /** In the place of such corners. */
  mask?: Mask;
}

export type Align = "left" | "center" | "right" | "justify";
export type Typeface = "sans" | "serif" | "brush" | "xiaowei";
export type Role = "title" | "subtitle" | "heading" | "caption" | "body";

export interface TextElement extends Common {
  kind: "text";
  role: Role;
  text: string;
  size?: number;
  align?: Align;
  colour?: string;
  weight?: "regular" | "bold";
  font?: Typeface;
}

export interface ShapeElement extends Common {
  kind: "shape";
  shape: ShapeKind;
  fill?: string;
  border?: Border;
  radius?: number;
}

export interface PdfElement extends Common {
  kind: "pdf";
  file: string;
  page: number;
  crop: Rect;
}

export interface MonthElement extends Common {
  kind: "month";
  part: "grid" | "title" | "small" | "year";
  month: unknown;
}

/** A QR code: the largest square in the middle of its frame. */
export interface CodeElement extends Common {
  kind: "code";
  address: string;
}

export type Element = PhotoElement | TextElement | ShapeElement | PdfElement | MonthElement | CodeElement;

export interface Page {
  id: string;
  theme?: string;
  ground?: "paper" | "tint" | "deep";
  background?: string;
  /** The lowest first. */
  elements: Element[];
}

export interface Document {
  /** How emoji are shown; in the colour of their words where absent. */
  emoji?: "colour";
  version: number;
  trim: Size;
  theme: string;
  title: string;
  author?: string;
  cover: Page;
  pages: Page[];
}

/** What is printed past the trim and cut away, and the inner border that nothing important may cross, in mm. */
export const BLEED = 3;
export const SAFE = 5;

/** What is known of a shape that is an ornament. */
export const ornamentOf = (shape: ShapeKind) => ORNAMENTS.find(({ code }) => code === shape);

/** Whether it has one shape at any size: a page of a PDF, and a drawing that is no frame around something. */
export const keepsShape = (element: Element) => element.kind === "pdf" || (element.kind === "shape" && ornamentOf(element.shape)?.runsAlongEdges === false);

export function allPages(document: Document): Page[] {
  return [document.cover, ...document.pages];
}

export function pageOf(document: Document, id: string): Page | undefined {
  return document.cover.id === id ? document.cover : document.pages.find((page) => page.id === id);
}

/** What a page is called: 0 is the cover. */
export const pageName = (number: number) => (number === 0 ? "封面" : `第 ${number} 页`);
