// Rectangles on a page, in per mille of it. No DOM: values in, values out.

/** A rectangle that lies on its page. */
export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A point of the page. */
export interface Point {
  x: number;
  y: number;
}

/** The least side of an area, as the server has it. */
export const LEAST = 10;

const within = (value: number, most = 1000) => Math.round(Math.min(Math.max(value, 0), most));

/** What is drawn from one point to another; nothing where that is too small to be meant. */
export function drawn(from: Point, to: Point): Place | undefined {
  const [x, y] = [within(Math.min(from.x, to.x)), within(Math.min(from.y, to.y))];
  const place = { x, y, width: within(Math.max(from.x, to.x)) - x, height: within(Math.max(from.y, to.y)) - y };
  return place.width < LEAST || place.height < LEAST ? undefined : place;
}

/** Pushed along, but not off the page. */
export function moved(place: Place, across: number, down: number): Place {
  return { ...place, x: within(place.x + across, 1000 - place.width), y: within(place.y + down, 1000 - place.height) };
}

/** The corner opposite to the one that a point is near to, by so many per mille across and down. */
export function heldBy(place: Place, { x, y }: Point, near: Point): Point | undefined {
  const [left, right, top, bottom] = [place.x, place.x + place.width, place.y, place.y + place.height];
  const held = (at: number, edge: number, reach: number) => Math.abs(at - edge) <= reach;
  const across = held(x, left, near.x) ? right : held(x, right, near.x) ? left : undefined;
  const down = held(y, top, near.y) ? bottom : held(y, bottom, near.y) ? top : undefined;
  return across === undefined || down === undefined ? undefined : { x: across, y: down };
}

/** Whether a point lies in it. */
export function holds({ x, y, width, height }: Place, point: Point): boolean {
  return point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height;
}
