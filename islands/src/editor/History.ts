// What was done, to be taken back and done again. Every step is a list of changes and the changes that undo them.
import { signal } from "@preact/signals-react";
import type { Change } from "./edit.js";
import { replaced } from "./lists.js";

export interface Step {
  /** What it is called: 移动, 文字. */
  name: string;
  forward: Change[];
  /** In the order in which they are made. */
  back: Change[];
  /** The whole book became another one: the revisions of both, in the place of changes. */
  whole?: { before: number; after: number };
  /** Steps with the same mark that follow each other soon are one. */
  merge?: string | undefined;
  at: number;
}

/** Steps that are remembered. */
const MOST = 300;
/** Milliseconds within which steps with the same mark become one. */
const SOON = 500;

/** What is kept of it over a reload. */
export interface Remembered {
  done: Step[];
  undone: Step[];
}

export class History {
  readonly #done = signal<Step[]>([]);
  readonly #undone = signal<Step[]>([]);

  /** The step that would be taken back or done again. */
  get last(): Step | undefined {
    return this.#done.value.at(-1);
  }

  get next(): Step | undefined {
    return this.#undone.value.at(-1);
  }

  /** A step that goes on with the last one, whose mark it has, is part of it, be it soon or late. */
  add(step: Step, goesOn = false): void {
    const done = this.#done.peek();
    const last = done.at(-1);
    this.#undone.value = [];
    if (last && step.merge !== undefined && last.merge === step.merge && (goesOn || step.at - last.at <= SOON)) {
      const merged = { ...last, at: step.at, forward: joined(last.forward, step.forward), back: joined(step.back, last.back) };
      this.#done.value = replaced(done, done.length - 1, merged);
      return;
    }
    this.#done.value = [...done, step].slice(-MOST);
  }

  /** Whatever comes is another step than the last one. */
  seal(): void {
    const done = this.#done.peek();
    const last = done.at(-1);
    if (last?.merge !== undefined) this.#done.value = replaced(done, done.length - 1, { ...last, merge: undefined });
  }

  /** The step to take back: whoever asks makes its changes. */
  undo(): Step | undefined {
    const step = this.#done.peek().at(-1);
    if (!step) return undefined;
    this.#done.value = this.#done.peek().slice(0, -1);
    // what is done again later belongs to nothing before it
    this.#undone.value = [...this.#undone.peek(), { ...step, merge: undefined }];
    return step;
  }

  redo(): Step | undefined {
    const step = this.#undone.peek().at(-1);
    if (!step) return undefined;
    this.#undone.value = this.#undone.peek().slice(0, -1);
    this.#done.value = [...this.#done.peek(), step];
    return step;
  }

  /** Forgets a step that was just taken and can't be made: its page is gone, or somebody else was there. */
  forget(step: Step): void {
    const others = (steps: Step[]) => steps.filter(({ at, name }) => at !== step.at || name !== step.name);
    this.#done.value = others(this.#done.peek());
    this.#undone.value = others(this.#undone.peek());
  }

  get remembered(): Remembered {
    return { done: this.#done.peek(), undone: this.#undone.peek() };
  }

  restore({ done, undone }: Remembered): void {
    this.#done.value = done;
    this.#undone.value = undone;
    this.seal();
  }
}

/** Changes after one another; a property that is set twice in a row is set once. */
function joined(first: Change[], then: Change[]): Change[] {
  const [last, next] = [first.at(-1), then[0]];
  const isSame =
    last?.op === "set" && next?.op === "set" && last.page === next.page && last.element === next.element && last.name === next.name;
  return isSame && first.length === 1 && then.length === 1 ? then : [...first, ...then];
}
