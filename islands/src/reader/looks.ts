// How the words are read, as this device was told before: their size and the light.
import { read, write } from "../runtime/storage.js";

const SIZE = "read:text";
const NIGHT = "read:night";
/** Sizes of the words, from the usual one, 0, on; how large each is say the styles. */
export const LARGEST = 3;

export function size(): number {
  const kept = read(SIZE);
  return typeof kept === "number" && kept > 0 && kept <= LARGEST ? Math.trunc(kept) : 0;
}

export const isNight = (): boolean => read(NIGHT) === true;

/** Keeps another size or light, and shows it. */
export function choose(words: number, night: boolean): void {
  write(SIZE, words);
  write(NIGHT, night);
  applyLooks();
}

export function applyLooks(): void {
  const root = document.documentElement;
  root.toggleAttribute("data-night", isNight());
  root.dataset.text = `${size()}`;
}
