// Several things put in order: on one line, at equal gaps, in one size, in reading order.
import type { Rect } from "./document.js";
import { boundsOf, shifted, unionOf } from "./geometry.js";
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

/** Ids in the order in which they are read: row by row, each from the left. */
export function readingOrder(items: Placed[]): string[] {
  const seen = items.map(({ id, frame, rotation }) => ({ id, bounds: boundsOf(frame, rotation) }));
  const lowest = Math.min(...seen.map(({ bounds }) => bounds.height));
  const overlap = 0.15 * lowest;
  const top = (bounds: Rect) => bounds.y + overlap;
  const down = sorted(seen, (one, other) => top(one.bounds) - top(other.bounds));
  const rows: (typeof seen)[] = [];
  let bottom = Number.NEGATIVE_INFINITY;
  for (const item of down) {
    const row = rows.at(-1);
    if (row && top(item.bounds) < bottom) row.push(item);
    else rows.push([item]);
    bottom = Math.max(bottom, item.bounds.y + item.bounds.height - overlap);
  }
  return rows.flatMap((row) => sorted(row, (one, other) => one.bounds.x - other.bounds.x || one.bounds.y - other.bounds.y)).map(({ id }) => id);
}
