/** An area of a page, in parts of its width and height. */
export interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A narrow column is not blown up beyond this many times the window. */
const MOST = 4;

/** The smallest of the areas in which a point lies. */
export function at(frames: readonly Frame[], { x, y }: { x: number; y: number }): Frame | undefined {
  const inside = frames.filter((frame) => x >= frame.x && x <= frame.x + frame.width && y >= frame.y && y <= frame.y + frame.height);
  return inside.sort((a, b) => a.width * a.height - b.width * b.height)[0];
}

/** How wide a page is when an area of it fills a window of so many pixels, with a little room beside it. */
export function frameWidth(frame: Frame, window: number): number {
  return Math.min(window * MOST, (window * 0.94) / Math.max(frame.width, 0.001));
}

/** How far something is scrolled that was `width` and is `next` pixels wide, so that what was at a point of the window still is. */
export function kept(scrolled: number, point: number, width: number, next: number): number {
  return width === 0 ? 0 : ((scrolled + point) / width) * next - point;
}
