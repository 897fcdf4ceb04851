// The state of the dialog: what is chosen, what that leaves to choose, what it costs, and whether it is kept.
import { type ReadonlySignal, type Signal, batch, computed, effect, signal } from "@preact/signals-react";
import type { CartInfo } from "../generated/cart.js";
import { HttpError, unanswered } from "../runtime/http/error.js";
import { fenOf } from "../runtime/money.js";
import { type Problem, problemOf } from "../runtime/problem.js";
import { AfterPaint } from "../runtime/paint.js";
import { Kept } from "../runtime/store.js";
import { Price } from "./Price.js";
import { type Calls, type Priced, calls } from "./calls.js";
import { type Choice, type Draft, type Typed, carriedOver, isDraft, keyOf, quantityIn } from "./choice.js";
import { type Exclusion, evaluate, settlingOrder } from "./evaluate.js";

export type Step = CartInfo["buzhou"][number];
export type Item = Step["items"][number];

/** One step as it is shown. */
export interface Row {
  step: Step;
  selected: Item | undefined;
  /** Why an item can't be chosen, one text for each; undefined where it can. */
  obstacles: (string | undefined)[];
  /** What the rules chose in the member's place, in words. */
  moved: string;
}

/** How saving ended; `changed`: it is saved, and something was changed meanwhile; `gone`: the cart has no such line. */
export type Outcome = "failed" | "saved" | "changed" | "gone";

/** Milliseconds that saving may take, with all its repetitions. */
const PATIENCE = 30_000;

export class PrintOptions {
  /** The shown steps that have items, each by itself; hidden ones take part in nothing (specification section 4). */
  readonly rows: readonly ReadonlySignal<Row>[];
  /** What the rules chose in the member's place, in all steps. */
  readonly news: ReadonlySignal<string>;
  readonly quantity: ReadonlySignal<string>;
  readonly remark: ReadonlySignal<string>;
  /** One of the shown steps is 备注, which has no items. */
  readonly hasRemarks: boolean;
  /** The address of the front's picture as what is chosen makes it. */
  readonly picture: ReadonlySignal<string>;
  readonly isQuantityBad: ReadonlySignal<boolean>;
  /** A step leaves nothing to choose. */
  readonly isStuck: ReadonlySignal<boolean>;
  readonly price: Price;
  /** Unsaved choices of an earlier visit are shown. */
  readonly isRestored: ReadonlySignal<boolean>;
  readonly isSaving: ReadonlySignal<boolean>;
  /** What was saved here is older than what is shown. */
  readonly isBehind: ReadonlySignal<boolean>;
  readonly problem: ReadonlySignal<Problem | undefined>;

  readonly #calls: Calls;
  /** Those of the goods, and what a craft is drawn from as one more. */
  readonly #steps: Step[];
  /** How many of them are the goods', and have a code that is priced. */
  readonly #pricedSteps: number;
  readonly #exclusions: Exclusion[];
  readonly #reasons: string[];
  readonly #order: number[];
  readonly #rows: readonly Signal<Row>[];
  /** The codes of the shown choice as prices and drafts know them: a frame after the member sees it. */
  readonly #cnums: Signal<string[]>;
  readonly #catchUp = new AfterPaint(() => (this.#cnums.value = this.#shown()));
  readonly #quantity: Signal<string>;
  readonly #remark: Signal<string>;
  readonly #isRestored: Signal<boolean>;
  readonly #isSaving = signal(false);
  readonly #hasSaved = signal(false);
  readonly #problem = signal<Problem | undefined>(undefined);
  readonly #now: ReadonlySignal<Choice>;
  readonly #priced: ReadonlySignal<Priced | undefined>;
  /** The line as it is known to be kept. */
  readonly #saved: Signal<Choice>;
  readonly #draft: Kept<Draft>;
  readonly #stopDraft: () => void;
  #isStopped = false;

  /** `typed` is what the member changed in the form that this takes the place of. */
  constructor(
    readonly info: CartInfo,
    readonly cartID: string,
    typed: Typed = {},
    through: Calls = calls,
  ) {
    const shown = info.buzhou.filter((step) => step.IsShow === "Y");
    this.#calls = through;
    const steps = shown.filter((step) => step.items.length > 0);
    this.#pricedSteps = steps.length;
    this.hasRemarks = shown.length > steps.length;
    const { artwork } = info;
    this.#steps = artwork ? [...steps, artwork.step] : steps;
    this.#exclusions = [...info.exclusions, ...(artwork?.exclusions ?? [])];
    this.#reasons = [...info.exclusionReasons, ...(artwork?.exclusionReasons ?? [])];
    this.#order = settlingOrder(this.#steps, this.#exclusions);
    const codes = this.#steps.map((step) => step.selCnum);
    const saved: Choice = { cnums: codes, quantity: String(info.count), remark: info.remarkinfo };
    this.#saved = signal(saved);

    this.#draft = new Kept(`options:${cartID}`, isDraft);
    const draft = this.#draft.signal.peek();
    const first = draft ? carriedOver(draft, saved) : saved;
    const wanted = this.#steps.map((step, place) => typed.cnums?.get(step.ID) ?? first.cnums[place] ?? "");
    this.rows = this.#rows = this.#settled(wanted).map((row) => signal(row));
    this.#cnums = signal(this.#shown());
    this.quantity = this.#quantity = signal(typed.quantity ?? first.quantity);
    this.remark = this.#remark = signal(typed.remark ?? first.remark);
    this.isRestored = this.#isRestored = signal(keyOf(first) !== keyOf(saved));
    this.isSaving = this.#isSaving;
    this.problem = this.#problem;

    this.picture = computed(() => {
      const codes = this.#cnums.value;
      if (!codes.some((code) => info.frontCnums.includes(code))) return info.photoPath;
      const drawnFrom = codes[this.#pricedSteps];
      const chosen = encodeURIComponent(this.#toPrice(codes, 1).cnums);
      return `${info.frontPath}&cnums=${chosen}${drawnFrom ? `&artwork=${drawnFrom}` : ""}`;
    });
    this.isQuantityBad = computed(() => quantityIn(this.quantity.value) === undefined);
    this.isStuck = computed(() => this.rows.map((row) => row.value).some((row) => !row.selected));
    this.news = computed(() => this.rows.map((row) => row.value.moved).filter(Boolean).join("，"));
    this.#now = computed(() => ({ cnums: this.#cnums.value, quantity: this.quantity.value, remark: this.remark.value }));
    this.isBehind = computed(() => {
      const [now, kept] = [keyOf(this.#now.value), keyOf(this.#saved.value)];
      return this.#hasSaved.value && now !== kept;
    });
    this.#priced = computed(() => {
      const chosen = this.#cnums.value;
      const count = quantityIn(this.quantity.value);
      return count === undefined || chosen.includes("") ? undefined : this.#toPrice(chosen, count);
    });
    this.price = new Price(this.#priced, { priced: this.#toPrice(codes, info.count), total: fenOf(info.totalPrice) }, through);
    this.#stopDraft = effect(() => {
      const base = this.#saved.value;
      const now = this.#now.value;
      this.#draft.signal.value = keyOf(now) === keyOf(base) ? undefined : { ...now, base };
    });
  }

  /**
   * Chooses an item; the other steps keep their choices where the rules let them. The steps show it at once; its price
   * and its draft wait for the frame.
   */
  choose(place: number, cnum: string): void {
    this.chooseAll(this.#shown().map((code, other) => (other === place ? cnum : code)));
  }

  /** Chooses in every step of the goods at once, one code for each. */
  chooseAll(cnums: string[]): void {
    // what a craft is drawn from stays, unless it is said
    this.#show([...cnums, ...this.#shown().slice(cnums.length)]);
    this.#catchUp.later();
  }

  /** Whether exactly these are chosen. */
  isChosen(cnums: readonly string[]): boolean {
    return cnums.every((cnum, place) => this.rows[place]?.value.selected?.Cnum === cnum);
  }

  /** Does what a choice does, and changes nothing: the first time, a browser reads the program it runs. */
  rehearse(): void {
    const shown = this.#shown();
    for (const [place, step] of this.#steps.entries()) {
      for (const item of step.items) this.#settled(shown.map((code, other) => (other === place ? item.Cnum : code)));
    }
    batch(() => {
      for (const row of this.#rows) row.value = { ...row.peek() };
    });
  }

  writeQuantity(text: string): void {
    this.#quantity.value = text;
  }

  writeRemark(text: string): void {
    this.#remark.value = text;
  }

  /** Back to the line as it is kept. */
  restore(): void {
    const { cnums, quantity, remark } = this.#saved.peek();
    batch(() => {
      this.#show(cnums);
      this.#cnums.value = this.#shown();
      this.#quantity.value = quantity;
      this.#remark.value = remark;
      this.#isRestored.value = false;
      this.#problem.value = undefined;
    });
  }

  /** Keeps the choice. Once it is pressed, it goes on even when the dialog is closed. */
  async save(): Promise<Outcome> {
    this.#catchUp.now();
    const priced = this.#priced.peek();
    if (!priced || this.#isSaving.peek()) return "failed";
    const sent = this.#now.peek();
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(unanswered(undefined)), PATIENCE);
    this.#isSaving.value = true;
    this.#hasSaved.value = false;
    this.#problem.value = undefined;
    try {
      await this.#calls.update(this.cartID, priced, sent.remark, giveUp.signal, sent.cnums[this.#pricedSteps]);
      batch(() => {
        this.#saved.value = sent;
        this.#hasSaved.value = true;
      });
      return this.isBehind.peek() ? "changed" : "saved";
    } catch (error) {
      if (error instanceof HttpError && error.status === 404) return "gone";
      this.#problem.value = problemOf(error, "更新购物车失败，请稍后再试");
      return "failed";
    } finally {
      clearTimeout(timer);
      this.#isSaving.value = false;
      if (this.#isStopped) this.#release();
    }
  }

  stop(): void {
    this.#catchUp.stop();
    this.#isStopped = true;
    this.price.stop();
    // what is being saved is a draft no more, once it is
    if (!this.#isSaving.peek()) this.#release();
  }

  #release(): void {
    this.#stopDraft();
    this.#draft.stop();
  }

  #shown(): string[] {
    return this.#rows.map((row) => row.peek().selected?.Cnum ?? "");
  }

  /** A step that stays as it is keeps its row, and is not drawn again. */
  #show(wanted: string[]): void {
    const rows = this.#settled(wanted);
    batch(() => {
      for (const [place, row] of this.#rows.entries()) {
        const next = rows[place];
        if (next && !isSame(row.peek(), next)) row.value = next;
      }
    });
  }

  #settled(wanted: string[]): Row[] {
    const evaluated = evaluate(this.#steps, this.#exclusions, wanted, this.#order);
    const chosen = evaluated.map((step) => step.selCnum);
    return this.#steps.map((step, place) => {
      const selected = step.items.find((item) => item.Cnum === chosen[place]);
      const isMoved = selected && wanted[place] !== "" && wanted[place] !== selected.Cnum;
      return {
        step,
        selected,
        obstacles: step.items.map((item, index) =>
          evaluated[place]?.enable[index] ? undefined : this.#obstacle(item, chosen),
        ),
        moved: isMoved ? `已将${step.Name}改为${selected.Name}` : "",
      };
    });
  }

  #obstacle(item: Item, chosen: string[]): string {
    if (!item.fits) return item.reason;
    const index = this.#exclusions.findIndex(([other, excluded]) => excluded === item.Cnum && chosen.includes(other));
    return this.#reasons[index] ?? "";
  }

  #toPrice(cnums: string[], count: number): Priced {
    const { goods, pageNum } = this.info;
    return { goodsID: goods.ID, cnums: cnums.slice(0, this.#pricedSteps).join("|"), count, pagesNum: pageNum };
  }
}

function isSame(one: Row, other: Row): boolean {
  return one.selected === other.selected && one.moved === other.moved && String(one.obstacles) === String(other.obstacles);
}
