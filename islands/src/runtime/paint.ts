// What may wait until the page shows what somebody just did.

/** Work that is put off until the next frame is painted, so that it makes no frame late. Put off twice, it is done once. */
export class AfterPaint {
  readonly #work: () => void;
  #frame: number | undefined;
  #task: ReturnType<typeof setTimeout> | undefined;

  constructor(work: () => void) {
    this.#work = work;
    // a page that is left or hidden has no next frame
    document.addEventListener("visibilitychange", this.now);
  }

  later(): void {
    // a task that is queued while a frame is made runs when it is painted
    this.#frame ??= requestAnimationFrame(() => (this.#task = setTimeout(this.now)));
  }

  /** Does at once what is due, if anything is. */
  readonly now = (): void => {
    if (this.#frame === undefined) return;
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#task);
    this.#frame = undefined;
    this.#work();
  };

  /** Does what is due, and nothing any more. */
  stop(): void {
    this.now();
    document.removeEventListener("visibilitychange", this.now);
  }
}
