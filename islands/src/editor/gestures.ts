// What the hand does with frames, as values: every state of a gesture follows from where it began and where the hand is.
import type { Element, Rect } from "./document.js";
import { followed, panned, zoomed } from "./crop.js";
import { type Placement, type Point, type Pull, type Resizing, boundsOf, centreOf, resized, scaled, shifted, shortest, turn, unionOf } from "./geometry.js";
import { type Candidates, type Snapped, snap, snapEdges } from "./snapping.js";

/** What something was when the gesture began. */
export interface Before {
  id: string;
  frame: Rect;
  rotation: number;
  crop?: Rect | undefined;
  kind: Element["kind"];
  /** Whether it has one shape at any size. */
  isRigid?: boolean;
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
  const box = shifted(boxOf(before), x, y);
  const snapped = keys.free ? NO_SNAP : snap(box, candidates, reach);
  // an axis that is kept is not left for a line
  const dx = keys.shift && x === 0 ? 0 : x + snapped.dx;
  const dy = keys.shift && y === 0 ? 0 : y + snapped.dy;
  const placed = new Map(before.map(({ id, frame, rotation }) => [id, { frame: shifted(frame, dx, dy), rotation }]));
  return { placed, guides: snapped.guides };
}

/** A frame pulled by a handle. Corners keep the shape of what has one; the crop of a photo follows its frame. */
export function resize(before: Before, pull: Pull, by: Point, keys: Keys, candidates: Candidates, reach: number): Outcome {
  const { frame, rotation, crop, kind, isRigid = false } = before;
  const keepsShape = isCorner(pull) && (isRigid || (kind === "photo") !== keys.shift);
  const { after, guides } = pulled(frame, rotation, pull, by, { keepsShape, fromCentre: keys.alt }, keys.free ? undefined : candidates, reach);
  const placement: Placement = { frame: after, rotation };
  if (kind === "photo" && crop) placement.crop = keepsShape ? crop : followed(crop, frame, after);
  return { placed: new Map([[before.id, placement]]), guides };
}

/** The box around several, each as it is seen. */
export const boxOf = (items: Pick<Before, "frame" | "rotation">[]): Rect => unionOf(items.map(({ frame, rotation }) => boundsOf(frame, rotation)));

/** Whether several can only be made larger and smaller in their shape: one of them is turned, or keeps its own. */
export const isStiff = (items: Pick<Before, "isRigid" | "rotation">[]) => items.some(({ isRigid, rotation }) => isRigid === true || rotation !== 0);

/** Several pulled by a handle of the box around them. Corners keep their shape, unless Shift is held and it can be another. */
export function resizeAll(before: Before[], pull: Pull, by: Point, keys: Keys, candidates: Candidates, reach: number): Outcome {
  const box = boxOf(before);
  const keepsShape = isStiff(before) || (isCorner(pull) && !keys.shift);
  const least = shortest(box, before.map(({ frame }) => frame));
  const { after, guides } = pulled(box, 0, pull, by, { keepsShape, fromCentre: keys.alt, least }, keys.free ? undefined : candidates, reach);
  return { placed: scaledAll(before, box, after), guides };
}

/** Where several stand when the box around them becomes another one. */
export function scaledAll(before: Before[], box: Rect, after: Rect): Map<string, Placement> {
  return new Map(
    before.map(({ id, frame, rotation, crop }) => {
      const to = scaled(frame, box, after);
      return [id, crop ? { frame: to, rotation, crop: followed(crop, frame, to) } : { frame: to, rotation }];
    }),
  );
}

const isCorner = ({ across, down }: Pull) => across !== 0 && down !== 0;

/** A pulled frame, drawn to lines where there are any for it. */
function pulled(frame: Rect, rotation: number, pull: Pull, by: Point, how: Resizing, candidates: Candidates | undefined, reach: number): { after: Rect; guides: Snapped["guides"] } {
  const after = resized(frame, rotation, pull, by, how);
  if (rotation !== 0 || !candidates) return { after, guides: [] };
  const { dx, dy } = snapEdges(after, pull, candidates, reach);
  if (dx === 0 && dy === 0) return { after, guides: [] };
  // where the shape is kept, only one of two lines can be followed
  const along = how.keepsShape && dx !== 0 && dy !== 0 ? { x: dx, y: 0 } : { x: dx, y: dy };
  const drawn = resized(frame, rotation, pull, { x: by.x + along.x, y: by.y + along.y }, how);
  return { after: drawn, guides: snap(drawn, candidates, 0.005).guides };
}

/** The photo pushed inside its frame by a vector on the page. */
export function panCrop(before: Before, by: Point): Placement | undefined {
  const { frame, rotation, crop } = before;
  if (!crop) return undefined;
  const local = turn(by, -rotation);
  return { frame, rotation, crop: panned(crop, frame, local.x, local.y) };
}

/** The photo enlarged inside its frame about a point of the page, and pushed. */
export function pinchCrop(before: Before, factor: number, about: Point, by: Point): Placement | undefined {
  const { frame, rotation, crop } = before;
  if (!crop) return undefined;
  const centre = centreOf(frame);
  const local = turn({ x: about.x - centre.x, y: about.y - centre.y }, -rotation);
  const at = { x: local.x / frame.width + 0.5, y: local.y / frame.height + 0.5 };
  return panCrop({ ...before, crop: zoomed(crop, factor, at) }, by);
}
