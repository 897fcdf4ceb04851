/** One request at a time: a newer one takes the place of the older, which is aborted. */
export class Latest {
  #controller = new AbortController();

  /** Runs a request; it rejects with an AbortError when a newer one replaces it. */
  run<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.stop();
    this.#controller = new AbortController();
    return request(this.#controller.signal);
  }

  stop(): void {
    this.#controller.abort();
  }
}
