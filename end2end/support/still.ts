// Where something is in the window. A hand aims at what stands still, so places are taken when they no longer change.
import type { Locator } from "@playwright/test";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The box of something, once it is seen and the same in two frames one after the other. The page needs its scripts for that. */
export async function still(what: Locator): Promise<Box> {
  return what.evaluate(async (element) => {
    // an observer answers after the next frame, also where a test has stopped the page's clock
    const frame = () =>
      new Promise<DOMRect>((done) => {
        const observer = new IntersectionObserver(() => {
          observer.disconnect();
          done(element.getBoundingClientRect());
        });
        observer.observe(element);
      });
    for (let before = await frame(); ; ) {
      const { x, y, width, height } = await frame();
      const isSame = x === before.x && y === before.y && width === before.width && height === before.height;
      if (isSame && element.checkVisibility()) return { x, y, width, height };
      before = new DOMRect(x, y, width, height);
    }
  });
}

/** Its middle, and how large it is. */
export async function middle(what: Locator): Promise<Box> {
  const { x, y, width, height } = await still(what);
  return { x: x + width / 2, y: y + height / 2, width, height };
}

/** A whole pixel in it, by shares of its width and height. */
export async function within(what: Locator, across = 0.5, down = 0.5): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = await still(what);
  return { x: Math.round(x + width * across), y: Math.round(y + height * down) };
}
