import { type Locator, type Page, expect } from "@playwright/test";

/** Every picture in `place` that is not folded away arrives, those further down, too. Answers how many there are. */
export async function allPicturesLoad(place: Locator): Promise<number> {
  const pictures = place.locator("img:visible");
  const missing = () =>
    pictures.evaluateAll((images: HTMLImageElement[]) => {
      // one that is further down would wait until somebody comes there
      for (const image of images) image.loading = "eager";
      return images.filter((image) => !image.complete || image.naturalWidth === 0).map((image) => image.getAttribute("src"));
    });
  await expect.poll(missing, "all pictures arrive").toEqual([]);
  return pictures.count();
}

/** A picture's own size in pixels, upright. */
export async function naturalSize(picture: Locator): Promise<{ width: number; height: number }> {
  return picture.evaluate((img: HTMLImageElement) => ({ width: img.naturalWidth, height: img.naturalHeight }));
}

/** A picture scaled to 24 × 16 cells: 3 values each, 0 to 255. */
export async function cells(picture: Locator): Promise<number[]> {
  return picture.evaluate((img: HTMLImageElement) => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 24, height: 16 });
    const context = canvas.getContext("2d");
    if (!context) throw new Error("no canvas");
    context.drawImage(img, 0, 0, 24, 16);
    return [...context.getImageData(0, 0, 24, 16).data].filter((_, index) => index % 4 !== 3);
  });
}

/** How far apart two pictures are: the mean difference of their cells. */
export function difference(one: number[], other: number[]): number {
  const sum = one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0);
  return sum / one.length;
}

/** What makes the page wider than the window: its width, and the first elements that reach beyond the right edge. */
export async function sideways(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement;
    if (root.scrollWidth <= root.clientWidth) return [];
    const found = [`the page is ${root.scrollWidth} px wide`];
    for (const element of document.body.querySelectorAll("*")) {
      const { right } = element.getBoundingClientRect();
      // text may reach further than its element's box
      const reach = Math.max(right, right - element.clientWidth + element.scrollWidth);
      if (element.clientWidth < 2 || reach <= root.clientWidth + 1) continue;
      const text = element.textContent?.trim().slice(0, 20) ?? "";
      found.push(`${element.tagName.toLowerCase()} “${text}” ends at ${Math.round(reach)} px`);
    }
    return found.slice(0, 8);
  });
}

/** Words that a box around them cuts off, and that nothing brings into sight. */
export async function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const cuts = (overflow: string) => overflow === "hidden" || overflow === "clip";
    const found = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const words = text.textContent?.trim() ?? "";
      const own = text.parentElement;
      // what is there for the ear alone is cut off on purpose
      if (!words || !own?.checkVisibility() || own.closest(".sr, [aria-hidden=true], script, style, template, option")) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const { left, right, top, bottom, width } = range.getBoundingClientRect();
      if (width === 0) continue;
      for (let box: Element | null = own; box && box !== document.body; box = box.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(box);
        if (overflowX === "auto" || overflowX === "scroll" || overflowY === "auto" || overflowY === "scroll") break;
        const edge = box.getBoundingClientRect();
        const across = cuts(overflowX) && (right > edge.right + 1 || left < edge.left - 1);
        const down = cuts(overflowY) && (bottom > edge.bottom + 2 || top < edge.top - 2);
        if (across || down) found.add(`“${words.slice(0, 20)}” in ${box.tagName.toLowerCase()}.${box.className}`);
      }
    }
    return [...found].slice(0, 8);
  });
}
