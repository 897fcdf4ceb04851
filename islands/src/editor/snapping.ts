// To what moved frames are drawn: edges and centres of others, equal gaps, the page's middle, its edges, margins, safe area
// and bleed.
// What there is to snap to is found once, when a gesture begins.
import { BLEED, type Rect, SAFE, type Size } from "./document.js";

/** A line that something snapped to, in mm: vertical ones have an x. */
export interface Guide {
  axis: "x" | "y";
  at: number;
  from: number;
  to: number;
}

interface Line {
  at: number;
  from: number;
  to: number;
}

export interface Candidates {
  x: Line[];
  y: Line[];
  others: Rect[];
}

export interface Snapped {
  dx: number;
  dy: number;
  guides: Guide[];
}

/** Pixels on the screen within which a frame is drawn. */
export const REACH = 8;
/** Millimetres that nobody can tell apart. */
const EXACT = 0.005;

/** `margin` is what layouts keep free at the edges of a page, in mm. */
export function candidatesOf(page: Size, margin: number, others: Rect[]): Candidates {
  const lines = (length: number, across: number, of: (rect: Rect) => [number, number, number, number]) => {
    const own = [-BLEED, 0, SAFE, margin, length / 2, length - margin, length - SAFE, length, length + BLEED];
    const found: Line[] = own.map((at) => ({ at, from: 0, to: across }));
    for (const rect of others) {
      const [start, size, from, extent] = of(rect);
      for (const at of [start, start + size / 2, start + size]) found.push({ at, from, to: from + extent });
    }
    return found;
  };
  return {
    x: lines(page.width, page.height, ({ x, width, y, height }) => [x, width, y, height]),
    y: lines(page.height, page.width, ({ x, width, y, height }) => [y, height, x, width]),
    others,
  };
}

/** How far a moved box is drawn, and the lines that it then lies on. `reach` is in mm. */
export function snap(box: Rect, candidates: Candidates, reach: number): Snapped {
  const across = nearest([box.x, box.x + box.width / 2, box.x + box.width], candidates.x, gaps(box, candidates.others, "x").map(({ by }) => by), reach);
  const down = nearest([box.y, box.y + box.height / 2, box.y + box.height], candidates.y, gaps(box, candidates.others, "y").map(({ by }) => by), reach);
  const placed = { ...box, x: box.x + across, y: box.y + down };
  return { dx: across, dy: down, guides: guidesOf(placed, candidates) };
}

/** The same for edges that are pulled: only those count. */
export function snapEdges(box: Rect, pull: { across: number; down: number }, candidates: Candidates, reach: number): Snapped {
  const edge = (start: number, size: number, which: number) => (which === 0 ? [] : [which < 0 ? start : start + size]);
  const dx = nearest(edge(box.x, box.width, pull.across), candidates.x, [], reach);
  const dy = nearest(edge(box.y, box.height, pull.down), candidates.y, [], reach);
  return { dx, dy, guides: [] };
}

function nearest(own: number[], lines: Line[], offsets: number[], reach: number): number {
  let best = Number.POSITIVE_INFINITY;
  const consider = (by: number) => {
    if (Math.abs(by) <= reach && Math.abs(by) < Math.abs(best)) best = by;
  };
  for (const at of own) for (const line of lines) consider(line.at - at);
  for (const by of offsets) consider(by);
  return Number.isFinite(best) ? best : 0;
}

/** How far a box would have to go to stand at equal gaps with two others beside it, and the gaps that there would be. */
interface Gaps {
  by: number;
  gaps: Guide[];
}

function gaps(box: Rect, others: Rect[], axis: "x" | "y"): Gaps[] {
  const start = (rect: Rect) => rect[axis];
  const size = (rect: Rect) => (axis === "x" ? rect.width : rect.height);
  const end = (rect: Rect) => start(rect) + size(rect);
  const [cross, extent] = axis === "x" ? (["y", "height"] as const) : (["x", "width"] as const);
  const beside = others.filter((other) => other[cross] < box[cross] + box[extent] && box[cross] < other[cross] + other[extent]);
  beside.sort((one, other) => start(one) - start(other));
  // a gap is a line across it, in the middle of the box
  const at = box[cross] + box[extent] / 2;
  const lines = (first: number, second: number, gap: number): Guide[] => [first, second].map((from) => ({ axis: cross, at, from, to: from + gap }));
  const found: Gaps[] = [];
  for (const one of beside) {
    // the first behind it: what lies over both is in nobody's gap
    const next = beside.find((other) => start(other) > end(one));
    if (!next) continue;
    const gap = start(next) - end(one);
    found.push({ by: end(next) + gap - start(box), gaps: lines(end(one), end(next), gap) });
    found.push({ by: start(one) - gap - end(box), gaps: lines(start(one) - gap, end(one), gap) });
    const half = (gap - size(box)) / 2;
    if (half > 0) found.push({ by: end(one) + half - start(box), gaps: lines(end(one), start(next) - half, half) });
  }
  return found;
}

/** The lines that a box lies on, each once and as long as what lies on it, and the equal gaps beside it. */
export function guidesOf(box: Rect, candidates: Candidates): Guide[] {
  const guides = new Map<string, Guide>();
  const look = (axis: "x" | "y", own: number[], lines: Line[], from: number, to: number) => {
    for (const { at, ...line } of lines) {
      if (!own.some((edge) => Math.abs(edge - at) < EXACT)) continue;
      const key = `${axis}${at.toFixed(2)}`;
      const before = guides.get(key) ?? { from, to };
      guides.set(key, { axis, at, from: Math.min(before.from, line.from), to: Math.max(before.to, line.to) });
    }
  };
  look("x", [box.x, box.x + box.width / 2, box.x + box.width], candidates.x, box.y, box.y + box.height);
  look("y", [box.y, box.y + box.height / 2, box.y + box.height], candidates.y, box.x, box.x + box.width);
  const equal = (["x", "y"] as const).flatMap((axis) => gaps(box, candidates.others, axis).find(({ by }) => Math.abs(by) < EXACT)?.gaps ?? []);
  return [...guides.values(), ...equal];
}
