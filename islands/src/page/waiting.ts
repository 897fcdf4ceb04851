// Where a payment stands: told by the server's events, asked for where those don't come or have ended.

/** Milliseconds between two questions: the first, and the longest. */
const FIRST = 3000;
const LONGEST = 30_000;

/** A state that is worth looking at: the server says `pending` while there is nothing new. */
export function isNews(state: unknown): boolean {
  return typeof state === "string" && state !== "" && state !== "pending";
}

/** How long to wait before the next question; the longer it has taken, the longer. */
export function pause(before: number): number {
  return Math.min(before * 1.5, LONGEST);
}

export class Waiting {
  #events: EventSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #over = false;

  constructor(
    private readonly address: string,
    private readonly onNews: () => void,
  ) {}

  start(): void {
    this.#over = false;
    if (typeof EventSource === "undefined") {
      this.#poll(FIRST);
      return;
    }
    this.#events = new EventSource(this.address);
    this.#events.addEventListener("state", ({ data }) => this.#settle(data));
    this.#events.addEventListener("error", () => {
      // a proxy that holds events back, a line that broke, a stream that has lasted long enough: asking works
      this.#events?.close();
      this.#poll(FIRST);
    });
  }

  stop(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    this.#events?.close();
  }

  #settle(state: unknown): void {
    if (this.#over || !isNews(state)) return;
    this.stop();
    this.onNews();
  }

  #poll(delay: number): void {
    clearTimeout(this.#timer);
    if (this.#over) return;
    this.#timer = setTimeout(() => void this.#ask(delay), delay);
  }

  async #ask(delay: number): Promise<void> {
    try {
      const answer = await fetch(this.address, { headers: { accept: "application/json" } });
      const { state } = (await answer.json()) as { state?: unknown };
      this.#settle(state);
    } catch {
      // the next question may get through
    }
    this.#poll(pause(delay));
  }
}
