// What the hand does with frames, as values: every state of a gesture follows from where it began and where the hand is.
import type { Element, Rect } from "./document.js";
import { followed, panned } from "./crop.js";
import { type Placement, type Point, type Pull, boundsOf, resized, shifted, unionOf } from "./geometry.js";
import { type Candidates, type Snapped, snap, snapEdges } from "./snapping.js";

/** What something was when the gesture began. */
export interface Before {
  id: string;
  frame: Rect;
  rotation: number;
  crop?: Rect | undefined;
  kind: Element["kind"];
}

export interface Keys {
  shift: boolean;
  alt: boolean;
  /** Ctrl or Cmd. */
  free: boolean;
}

export interface Outcome {
  placed: Map<string, Placement>;
  guides: Snapped["guides"];
}

const NO_SNAP: Snapped = { dx: 0, dy: 0, guides: [] };

/** Things pushed by a vector. Shift keeps an axis; lines draw unless Ctrl is held. */
export function move(before: Before[], by: Point, keys: Keys, candidates: Candidates, reach: number): Outcome {
  let { x, y } = by;
  if (keys.shift) [x, y] = Math.abs(x) >= Math.abs(y) ? [x, 0] : [0, y];
  const box = shifted(unionOf(before.map(({ frame, rotation }) => boundsOf(frame, rotation))), x, y);
  const snapped = keys.free ? NO_SNAP : snap(box, candidates, reach);
  // an axis that is kept is not left for a line
  const dx = keys.shift && x === 0 ? 0 : x + snapped.dx;
  const dy = keys.shift && y === 0 ? 0 : y + snapped.dy;
  const placed = new Map(before.map(({ id, frame, rotation }) => [id, { frame: shifted(frame, dx, dy), rotation }]));
  return { placed, guides: snapped.guides };
}

/** A frame pulled by a handle. Corners keep the shape of what has one; the crop of a photo follows its frame. */
export function resize(before: Before, pull: Pull, by: Point, keys: Keys, candidates: Candidates, reach: number): Outcome {
  const { frame, rotation, crop, kind } = before;
  const isCorner = pull.across !== 0 && pull.down !== 0;
  const hasShape = kind === "photo" || kind === "pdf";
  const keepsShape = isCorner && hasShape !== keys.shift;
  const how = { keepsShape, fromCentre: keys.alt };
  let after = resized(frame, rotation, pull, by, how);
  let guides: Snapped["guides"] = [];
  if (rotation === 0 && !keys.free) {
    const snapped = snapEdges(after, pull, candidates, reach);
    // where the shape is kept, only one of two lines can be followed
    const along = keepsShape && snapped.dx !== 0 && snapped.dy !== 0 ? { x: snapped.dx, y: 0 } : { x: snapped.dx, y: snapped.dy };
    if (along.x !== 0 || along.y !== 0) {
      after = resized(frame, rotation, pull, { x: by.x + along.x, y: by.y + along.y }, how);
      guides = snap(after, candidates, 0.005).guides;
    }
  }
  const placement: Placement = { frame: after, rotation };
  if (kind === "photo" && crop) placement.crop = keepsShape ? crop : followed(crop, frame, after);
  return { placed: new Map([[before.id, placement]]), guides };
}

/** The photo pushed inside its frame by a vector on the page. */
export function panCrop(before: Before, by: Point): Placement | undefined {
  const { frame, rotation, crop } = before;
  if (!crop) return undefined;
  const radians = (-rotation * Math.PI) / 180;
  const local = { x: by.x * Math.cos(radians) - by.y * Math.sin(radians), y: by.x * Math.sin(radians) + by.y * Math.cos(radians) };
  return { frame, rotation, crop: panned(crop, frame, local.x, local.y) };
}
