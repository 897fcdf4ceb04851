// The price of what is chosen, and its explanation when somebody looks at it.
import { type ReadonlySignal, batch, computed, effect, signal } from "@preact/signals-react";
import type { PriceLine } from "../generated/cart.js";
import { HttpError } from "../runtime/http/error.js";
import { Latest } from "../runtime/http/latest.js";
import { dividedDown } from "../runtime/money.js";
import type { Calls, Priced } from "./calls.js";

/** A price, and what it is the price of. */
interface Known {
  key: string;
  count: number;
  /** In 分. */
  total: number;
  list?: PriceLine[];
}

/** Milliseconds of rest before a price is asked for: typing a number asks once. */
const REST = 150;

const keyOf = ({ cnums, count }: Priced) => `${cnums} ${count}`;

export class Price {
  /** Why the last calculation failed. */
  readonly failure: ReadonlySignal<HttpError | undefined>;
  /** Whether somebody looks at the explanation. */
  readonly isOpen: ReadonlySignal<boolean>;
  /** The shown price is that of an earlier choice. */
  readonly stale: ReadonlySignal<boolean>;
  /** In 分; undefined where nothing can have a price. */
  readonly total: ReadonlySignal<number | undefined>;
  /** One copy's share, rounded down (specification section 9). */
  readonly unit: ReadonlySignal<number | undefined>;
  /** The lines that sum to the shown total. */
  readonly lines: ReadonlySignal<PriceLine[] | undefined>;

  readonly #failure = signal<HttpError | undefined>(undefined);
  readonly #isOpen = signal(false);
  readonly #known = signal<Known | undefined>(undefined);
  readonly #priced: ReadonlySignal<Priced | undefined>;
  readonly #calls: Calls;
  readonly #latest = new Latest();
  readonly #stop: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `saved` is the price that came with the line. */
  constructor(priced: ReadonlySignal<Priced | undefined>, saved: { priced: Priced; total: number | undefined }, calls: Calls) {
    this.#priced = priced;
    this.#calls = calls;
    this.failure = this.#failure;
    this.isOpen = this.#isOpen;
    const { total } = saved;
    if (total !== undefined) this.#known.value = { key: keyOf(saved.priced), count: saved.priced.count, total };
    const shown = computed(() => {
      const known = this.#known.value;
      return priced.value && known;
    });
    this.stale = computed(() => {
      const known = this.#known.value;
      return priced.value !== undefined && known?.key !== keyOf(priced.value);
    });
    this.total = computed(() => shown.value?.total);
    this.unit = computed(() => shown.value && dividedDown(shown.value.total, shown.value.count));
    this.lines = computed(() => shown.value?.list);
    this.#stop = effect(() => {
      const now = priced.value;
      const explained = this.#isOpen.value;
      this.#rest();
      this.#failure.value = undefined;
      if (now && this.#isMissing(now, explained)) this.#timer = setTimeout(() => void this.#ask(now), REST);
    });
  }

  /** Opens or closes the explanation. */
  explain(isOpen: boolean): void {
    this.#isOpen.value = isOpen;
  }

  /** Asks again after a failure. */
  retry(): void {
    this.#failure.value = undefined;
    const now = this.#priced.peek();
    if (now) void this.#ask(now);
  }

  stop(): void {
    this.#stop();
    this.#rest();
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#latest.stop();
  }

  #isMissing(priced: Priced, explained: boolean): boolean {
    const known = this.#known.peek();
    return known?.key !== keyOf(priced) || (explained && !known.list);
  }

  /** An explanation comes with its total, so the two are always of one choice. */
  async #ask(priced: Priced): Promise<void> {
    const explained = this.#isOpen.peek();
    try {
      const price = await this.#latest.run<{ total: number; list?: PriceLine[] }>(async (signal) =>
        explained ? this.#calls.lines(priced, signal) : { total: await this.#calls.total(priced, signal) },
      );
      batch(() => {
        this.#failure.value = undefined;
        this.#known.value = { key: keyOf(priced), count: priced.count, total: price.total, list: price.list };
      });
    } catch (error) {
      if (error instanceof HttpError) this.#failure.value = error;
      // aborted: a newer question took this one's place
      else if (!(error instanceof DOMException)) throw error;
    }
  }
}
