// Several things put in order: on one line, at equal gaps, in one size, in reading order.
import type { Rect, Size } from "./document.js";
import { boundsOf, shifted, touches, unionOf } from "./geometry.js";
import { sorted } from "./lists.js";

export interface Placed {
  id: string;
  frame: Rect;
  rotation: number;
}

export type Alignment = "left" | "centre" | "right" | "top" | "middle" | "bottom";

/** New frames of those that have to move: each as it is seen, turned or not. */
export function aligned(items: Placed[], how: Alignment): Map<string, Rect> {
  const all = unionOf(items.map(({ frame, rotation }) => boundsOf(frame, rotation)));
  return moved(items, (bounds) => {
    switch (how) {
      case "left":
        return [all.x - bounds.x, 0];
      case "centre":
        return [all.x + all.width / 2 - bounds.x - bounds.width / 2, 0];
      case "right":
        return [all.x + all.width - bounds.x - bounds.width, 0];
      case "top":
        return [0, all.y - bounds.y];
      case "middle":
        return [0, all.y + all.height / 2 - bounds.y - bounds.height / 2];
      case "bottom":
        return [0, all.y + all.height - bounds.y - bounds.height];
    }
  });
}

function moved(items: Placed[], by: (bounds: Rect) => [number, number]): Map<string, Rect> {
  const frames = new Map<string, Rect>();
  for (const { id, frame, rotation } of items) {
    const [dx, dy] = by(boundsOf(frame, rotation));
    if (dx !== 0 || dy !== 0) frames.set(id, shifted(frame, dx, dy));
  }
  return frames;
}

/** Three or more at equal gaps; the outermost stay. */
export function distributed(items: Placed[], axis: "x" | "y"): Map<string, Rect> {
  const size = (rect: Rect) => (axis === "x" ? rect.width : rect.height);
  const seen = items.map((item) => ({ item, bounds: boundsOf(item.frame, item.rotation) }));
  seen.sort((one, other) => one.bounds[axis] - other.bounds[axis]);
  const [first, last] = [seen[0], seen.at(-1)];
  if (!first || !last || seen.length < 3) return new Map();
  const length = last.bounds[axis] + size(last.bounds) - first.bounds[axis];
  const gap = (length - seen.reduce((sum, { bounds }) => sum + size(bounds), 0)) / (seen.length - 1);
  const frames = new Map<string, Rect>();
  let at = first.bounds[axis];
  for (const { item, bounds } of seen) {
    const by = at - bounds[axis];
    if (Math.abs(by) > 1e-6) frames.set(item.id, axis === "x" ? shifted(item.frame, by, 0) : shifted(item.frame, 0, by));
    at += size(bounds) + gap;
  }
  return frames;
}

/** All as large as the first, each about its own centre. */
export function sameSize(items: Placed[]): Map<string, Rect> {
  const [first, ...rest] = items;
  const frames = new Map<string, Rect>();
  if (!first) return frames;
  const { width, height } = first.frame;
  for (const { id, frame } of rest) {
    frames.set(id, { x: frame.x + (frame.width - width) / 2, y: frame.y + (frame.height - height) / 2, width, height });
  }
  return frames;
}

/** Whitespace between parts of a page that puts them beside each other, in mm. */
const GUTTER = 1;
/** Of the height of the lower of two parts: how far parts that stand over each other may reach into each other. */
const OVERLAP = 0.3;
/** How often rows are cut into columns and columns into rows. */
const DEPTH = 12;

/** A part of a page as it is seen. */
interface Part {
  id: string;
  bounds: Rect;
}

/** Ids in the order in which the server reads them: row by row, and in a row column by column from the left. */
export function readingOrder(items: Placed[]): string[] {
  return read(items.map(({ id, frame, rotation }) => ({ id, bounds: boundsOf(frame, rotation) })), DEPTH).map(({ id }) => id);
}

function read(parts: Part[], depth: number): Part[] {
  return rowsOf(parts).flatMap((row) => {
    const columns = depth > 0 ? columnsOf(row) : [];
    if (columns.length > 1) return columns.flatMap((column) => read(column, depth - 1));
    return sorted(row, ({ bounds: one }, { bounds: other }) => one.y - other.y || one.x - other.x);
  });
}

/** Parts that stand beside each other, and what stands beside one of those, the highest first. */
function rowsOf(parts: Part[]): Part[][] {
  const rows: Part[][] = [];
  for (const part of sorted(parts, (one, other) => one.bounds.y - other.bounds.y)) {
    const row = rows.at(-1);
    if (row?.some((other) => isBeside(other.bounds, part.bounds))) row.push(part);
    else rows.push([part]);
  }
  return rows;
}

function isBeside(one: Rect, other: Rect): boolean {
  const shared = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return shared > OVERLAP * Math.min(one.height, other.height);
}

/** The parts of a row by where white space goes through all of it. */
function columnsOf(row: Part[]): Part[][] {
  const columns: Part[][] = [];
  let right = Number.NEGATIVE_INFINITY;
  for (const part of sorted(row, (one, other) => one.bounds.x - other.bounds.x)) {
    const column = columns.at(-1);
    if (column && part.bounds.x < right + GUTTER) column.push(part);
    else columns.push([part]);
    right = Math.max(right, part.bounds.x + part.bounds.width);
  }
  // as they came: parts at one place are read as they lie over each other
  return columns.map((column) => row.filter((part) => column.includes(part)));
}

/** Between something new and what stands already, and from one tried place to the next, in mm. */
const [APART, STEP] = [2, 2];

/**
 * A place for something new on a page, within its margins, where nothing stands: the nearest to the middle, below it rather than
 * above. Where a page is full it is the middle.
 */
export function freePlace(page: Size, { width, height }: Size, others: readonly Rect[], margin: number): Rect {
  const middle = { x: (page.width - width) / 2, y: (page.height - height) / 2, width, height };
  const across = [middle.x, margin, page.width - margin - width].filter((x) => x >= margin);
  const isFree = (rect: Rect) => !others.some((other) => touches({ x: rect.x - APART, y: rect.y - APART, width: width + 2 * APART, height: height + 2 * APART }, other));
  for (let by = 0; by <= page.height / 2; by += STEP) {
    for (const y of [middle.y + by, middle.y - by]) {
      const found = across.map((x) => ({ ...middle, x, y })).find((rect) => y >= margin && y + height <= page.height - margin && isFree(rect));
      if (found) return found;
    }
  }
  return middle;
}
