// Signals that outlive the page. A model class holds one for each thing it keeps.
import { type Signal, effect, signal } from "@preact/signals-react";
import { follow, forget, read, write } from "./storage.js";

/** A value that is kept under a name and follows other tabs; undefined is kept as nothing at all. */
export class Kept<T> {
  readonly signal: Signal<T | undefined>;
  readonly #stops: (() => void)[];

  /** `accepts` judges what an older version of the page, or another program, may have left there. */
  constructor(name: string, accepts: (value: unknown) => value is T) {
    const load = () => {
      const value = read(name);
      return accepts(value) ? value : undefined;
    };
    let known = load();
    this.signal = signal(known);
    const keep = effect(() => {
      const value = this.signal.value;
      if (value === known) return;
      known = value;
      if (value === undefined) forget(name);
      else write(name, value);
    });
    const unfollow = follow(name, () => {
      known = load();
      this.signal.value = known;
    });
    this.#stops = [keep, unfollow];
  }

  /** Stops keeping and following; what is kept stays. */
  stop(): void {
    for (const stop of this.#stops) stop();
  }
}
