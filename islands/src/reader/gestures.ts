/** What a hand, a key or a click means to the pages of a book. */
export type Turn = "next" | "before" | "first" | "last";

/** A swipe counts from so many pixels, when it goes more sideways than down. */
const LEAST = 40;
const STEEP = 1.2;
/** The parts of a page's width that turn it when they are tapped. */
const EDGE = 0.25;

/** Which way a finger that moved by so many pixels turns; from right to left it is the other way round. */
export function ofSwipe(across: number, down: number, rightToLeft: boolean): Turn | undefined {
  if (Math.abs(across) < LEAST || Math.abs(across) < Math.abs(down) * STEEP) return undefined;
  return across < 0 !== rightToLeft ? "next" : "before";
}

/** Which way a tap turns, at a part of the page's width from 0 to 1; in the middle it does not. */
export function ofTap(at: number, rightToLeft: boolean): Turn | undefined {
  if (at > EDGE && at < 1 - EDGE) return undefined;
  return at >= 1 - EDGE !== rightToLeft ? "next" : "before";
}

/** What a key means where nothing is being typed. */
export function ofKey(key: string, rightToLeft: boolean): Turn | undefined {
  switch (key) {
    case "ArrowRight":
      return rightToLeft ? "before" : "next";
    case "ArrowLeft":
      return rightToLeft ? "next" : "before";
    case "PageDown":
      return "next";
    case "PageUp":
      return "before";
    case "Home":
      return "first";
    case "End":
      return "last";
    default:
      return undefined;
  }
}
