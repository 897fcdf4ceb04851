// Where turned frames lie, and what becomes of them when they are moved, resized and turned. Millimetres, degrees clockwise.
import { MASKS } from "../generated/edit_rules.js";
import type { Mask, Rect } from "./document.js";

export interface Point {
  x: number;
  y: number;
}

/** What a gesture changes of an element. */
export interface Placement {
  frame: Rect;
  rotation: number;
  /** Of photos. */
  crop?: Rect;
}

/** As exact as paper: what a press can't tell apart is not written down. */
export const hundredth = (number: number) => Math.round(number * 100) / 100;

export const roundRect = ({ x, y, width, height }: Rect): Rect => ({
  x: hundredth(x),
  y: hundredth(y),
  width: hundredth(width),
  height: hundredth(height),
});

export const centreOf = ({ x, y, width, height }: Rect): Point => ({ x: x + width / 2, y: y + height / 2 });

/** Exact for right angles, so that a frame on its side ends where it should. */
function sinCos(degrees: number): [number, number] {
  switch (((degrees % 360) + 360) % 360) {
    case 0:
      return [0, 1];
    case 90:
      return [1, 0];
    case 180:
      return [0, -1];
    case 270:
      return [-1, 0];
    default: {
      const radians = (degrees * Math.PI) / 180;
      return [Math.sin(radians), Math.cos(radians)];
    }
  }
}

/** A vector turned about the origin. */
export function turn({ x, y }: Point, degrees: number): Point {
  const [sin, cos] = sinCos(degrees);
  return { x: x * cos - y * sin, y: x * sin + y * cos };
}

/** The corners, clockwise from the one that was at the top left. */
export function cornersOf(frame: Rect, rotation: number): Point[] {
  const { x, y } = centreOf(frame);
  return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([across = 0, down = 0]) => {
    const corner = turn({ x: (across * frame.width) / 2, y: (down * frame.height) / 2 }, rotation);
    return { x: x + corner.x, y: y + corner.y };
  });
}

/** The rectangle around a frame that is turned about its centre. */
export function boundsOf(frame: Rect, rotation = 0): Rect {
  return rotation === 0 ? frame : around(cornersOf(frame, rotation));
}

function around(points: Point[]): Rect {
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** The rectangle around several. */
export function unionOf(rects: Rect[]): Rect {
  return around(rects.flatMap(({ x, y, width, height }) => [{ x, y }, { x: x + width, y: y + height }]));
}

/** Whether a point lies in a turned frame. */
export function holds(frame: Rect, rotation: number, point: Point): boolean {
  const centre = centreOf(frame);
  const local = turn({ x: point.x - centre.x, y: point.y - centre.y }, -rotation);
  return Math.abs(local.x) <= frame.width / 2 && Math.abs(local.y) <= frame.height / 2;
}

export function touches(one: Rect, other: Rect): boolean {
  return one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;
}

export const shifted = (frame: Rect, dx: number, dy: number): Rect => ({ ...frame, x: frame.x + dx, y: frame.y + dy });

/** Which edges a handle pulls: −1 is left or top, 1 is right or bottom, 0 is neither. */
export interface Pull {
  across: -1 | 0 | 1;
  down: -1 | 0 | 1;
}

export interface Resizing {
  /** Width by height stays as it was. */
  keepsShape?: boolean;
  fromCentre?: boolean;
  /** The shortest sides that it may have, in mm. */
  least?: { width: number; height: number };
}

/** The shortest side that a frame may have, in mm. */
const LEAST = 1;
const SHORTEST = { width: LEAST, height: LEAST };

/** A frame with a handle pulled by a vector on the page. What lies opposite stays where it is, turned or not. */
export function resized(frame: Rect, rotation: number, pull: Pull, by: Point, { keepsShape, fromCentre, least = SHORTEST }: Resizing = {}): Rect {
  const local = turn(by, -rotation);
  const factor = fromCentre ? 2 : 1;
  let width = Math.max(least.width, frame.width + pull.across * local.x * factor);
  let height = Math.max(least.height, frame.height + pull.down * local.y * factor);
  if (keepsShape) {
    const [across, down] = [width / frame.width, height / frame.height];
    const corner = pull.across !== 0 && pull.down !== 0;
    // the hand is between the two directions: whichever went further counts
    const grown = corner ? (Math.abs(across - 1) > Math.abs(down - 1) ? across : down) : pull.across !== 0 ? across : down;
    const scale = Math.max(grown, least.width / frame.width, least.height / frame.height);
    [width, height] = [frame.width * scale, frame.height * scale];
  }
  const moved = fromCentre ? { x: 0, y: 0 } : turn({ x: (pull.across * (width - frame.width)) / 2, y: (pull.down * (height - frame.height)) / 2 }, rotation);
  const centre = centreOf(frame);
  return { x: centre.x + moved.x - width / 2, y: centre.y + moved.y - height / 2, width, height };
}

/** The shortest sides of a box around frames, so that none of them gets too short. */
export function shortest(box: Rect, frames: Rect[]): { width: number; height: number } {
  return {
    width: LEAST * Math.max(...frames.map(({ width }) => box.width / width)),
    height: LEAST * Math.max(...frames.map(({ height }) => box.height / height)),
  };
}

/** A frame in a box that became another one. */
export function scaled(frame: Rect, box: Rect, after: Rect): Rect {
  const [across, down] = [after.width / box.width, after.height / box.height];
  const { x, y } = centreOf(frame);
  const [width, height] = [frame.width * across, frame.height * down];
  return { x: after.x + (x - box.x) * across - width / 2, y: after.y + (y - box.y) * down - height / 2, width, height };
}

/** The angle that a handle above a frame shows when it is pulled to a point, −180 to 180. */
export function angleTo(frame: Rect, point: Point): number {
  const centre = centreOf(frame);
  return (Math.atan2(point.x - centre.x, centre.y - point.y) * 180) / Math.PI;
}

/** An angle as it is written: more than −180 up to 180, whole degrees unless typed. */
export function tidyAngle(degrees: number): number {
  const turned = hundredth(((degrees % 360) + 360) % 360);
  return turned > 180 ? hundredth(turned - 360) : turned;
}

/** A turned angle by the rules of the hand: whole degrees, steps of 15 with Shift, right angles draw by touch. */
export function steered(degrees: number, { steps, draws }: { steps?: boolean; draws?: boolean }): number {
  const right = Math.round(degrees / 90) * 90;
  if (draws && Math.abs(degrees - right) <= 5) return tidyAngle(right);
  return tidyAngle(steps ? Math.round(degrees / 15) * 15 : Math.round(degrees));
}

/** A group turned about its middle: each frame goes round and turns by as much. */
export function turnedAbout(middle: Point, frame: Rect, by: number): Rect {
  const centre = centreOf(frame);
  const to = turn({ x: centre.x - middle.x, y: centre.y - middle.y }, by);
  return shifted(frame, middle.x + to.x - centre.x, middle.y + to.y - centre.y);
}

/** The corners of a mask as CSS has them, the round ones of so much. */
export function roundedBy(mask: Mask, round: string): string {
  const corners = MASKS.find(({ code }) => code === mask)?.corners ?? [];
  return corners.map((isRound) => (isRound ? round : "0")).join(" ");
}
