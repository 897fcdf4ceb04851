// Which part of a photo its frame shows. A crop counts in fractions of the photo; it always has the frame's shape.
import type { Rect, Size } from "./document.js";

/** The least part of a photo's side that may be shown. */
const LEAST = 0.02;

/** The largest part in the middle of a photo that fills a frame. */
export function fill(photo: Size, frame: Size): Rect {
  const wide = photo.width / photo.height / (frame.width / frame.height);
  const [width, height] = wide > 1 ? [1 / wide, 1] : [1, wide];
  return { x: (1 - width) / 2, y: (1 - height) / 2, width, height };
}

const clamped = (value: number, most: number) => Math.min(Math.max(value, 0), most);

/** A crop pushed back into its photo, with its middle where it was if that can be. */
function inside(middle: { x: number; y: number }, { width, height }: Size): Rect {
  const over = Math.max(width, height, 1);
  const [w, h] = [width / over, height / over];
  return { x: clamped(middle.x - w / 2, 1 - w), y: clamped(middle.y - h / 2, 1 - h), width: w, height: h };
}

/** The crop for a frame whose sides were pulled: the photo stays as large on paper as long as it fills the frame. */
export function followed(crop: Rect, before: Size, after: Size): Rect {
  const middle = { x: crop.x + crop.width / 2, y: crop.y + crop.height / 2 };
  return inside(middle, { width: (crop.width * after.width) / before.width, height: (crop.height * after.height) / before.height });
}

/** The photo pushed inside its frame by mm as the frame sees them. */
export function panned(crop: Rect, frame: Size, dx: number, dy: number): Rect {
  const x = clamped(crop.x - (dx / frame.width) * crop.width, 1 - crop.width);
  const y = clamped(crop.y - (dy / frame.height) * crop.height, 1 - crop.height);
  return { ...crop, x, y };
}

/** The photo enlarged inside its frame by a factor; `at` keeps its place, in fractions of the frame. */
export function zoomed(crop: Rect, factor: number, at = { x: 0.5, y: 0.5 }): Rect {
  const most = 1 / Math.max(crop.width, crop.height);
  const least = LEAST / Math.min(crop.width, crop.height);
  const by = Math.min(Math.max(1 / factor, least), most);
  const [width, height] = [crop.width * by, crop.height * by];
  const x = clamped(crop.x + at.x * (crop.width - width), 1 - width);
  const y = clamped(crop.y + at.y * (crop.height - height), 1 - height);
  return { x, y, width, height };
}

/** As exact as any screen and press: a millionth of the photo, still inside. */
export function roundCrop({ x, y, width, height }: Rect): Rect {
  const millionth = (value: number) => Math.round(value * 1e6) / 1e6;
  const [w, h] = [Math.min(1, millionth(width)), Math.min(1, millionth(height))];
  return { x: Math.min(millionth(x), 1 - w), y: Math.min(millionth(y), 1 - h), width: w, height: h };
}
