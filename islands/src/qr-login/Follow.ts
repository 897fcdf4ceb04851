// Where a QR login stands: told by the server's events, asked for where those don't come.
import { type ReadonlySignal, signal } from "@preact/signals-react";

export type State = "waiting" | "confirmed" | "declined" | "expired";

const STATES: readonly unknown[] = ["waiting", "confirmed", "declined", "expired"];
const isState = (value: unknown): value is State => STATES.includes(value);

/** Milliseconds between two questions where there are no events. */
const POLL = 3000;

export class Follow {
  readonly state: ReadonlySignal<State>;

  readonly #state = signal<State>("waiting");
  readonly #address: string;
  readonly #end: number;
  #events: EventSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `left`: milliseconds that the code is good for. */
  constructor(ask: string, left: number) {
    this.state = this.#state;
    this.#address = `/manager/login_state?ask=${encodeURIComponent(ask)}`;
    this.#end = Date.now() + left;
  }

  start(): void {
    if (typeof EventSource === "undefined") {
      this.#poll();
      return;
    }
    this.#events = new EventSource(this.#address);
    this.#events.addEventListener("state", ({ data }) => this.#settle(data));
    this.#events.addEventListener("error", () => {
      // a proxy that holds events back, a line that broke: asking works
      this.#events?.close();
      this.#poll();
    });
    this.#timer = setTimeout(() => this.#settle("expired"), Math.max(0, this.#end - Date.now()));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#events?.close();
  }

  #settle(state: unknown): void {
    if (!isState(state) || this.#state.peek() !== "waiting") return;
    this.#state.value = state;
    if (state !== "waiting") this.stop();
  }

  #poll(): void {
    clearTimeout(this.#timer);
    if (this.#state.peek() !== "waiting") return;
    if (Date.now() > this.#end) {
      this.#settle("expired");
      return;
    }
    this.#timer = setTimeout(() => void this.#ask(), POLL);
  }

  async #ask(): Promise<void> {
    try {
      const answer = await fetch(this.#address, { headers: { accept: "application/json" } });
      const { state } = (await answer.json()) as { state?: unknown };
      this.#settle(state);
    } catch {
      // the next question may get through
    }
    this.#poll();
  }
}
