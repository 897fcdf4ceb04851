// How the words are read, as this device was told before: their size and the light.
import { read, write } from "../runtime/storage.js";

const SIZE = "read:text";
const NIGHT = "read:night";

/** See above; handed to whoever changes it. */
export const looks = {
  /** Sizes of the words, from the usual one, 0, on; how large each is say the styles. */
  largest: 3,

  size(): number {
    const kept = read(SIZE);
    return typeof kept === "number" && kept > 0 && kept <= this.largest ? Math.trunc(kept) : 0;
  },

  isNight: (): boolean => read(NIGHT) === true,

  /** Keeps another size or light, and shows it. */
  choose(words: number, night: boolean): void {
    write(SIZE, words);
    write(NIGHT, night);
    this.apply();
  },

  apply(): void {
    const root = document.documentElement;
    root.toggleAttribute("data-night", this.isNight());
    root.dataset.text = `${this.size()}`;
  },
};

export type Looks = typeof looks;
