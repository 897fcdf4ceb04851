// From what was done to the server: kept here first, sent in order, forgotten when the server has it.
import { batch, effect, signal } from "@preact/signals-react";
import { HttpError } from "../runtime/http/error.js";
import type { Calls, Conflict } from "./calls.js";
import type { Change, Operation } from "./edit.js";
import type { Remembered } from "./History.js";
import type { Batch, Journal } from "./journal.js";

/** How what was done is kept by this browser. */
export type Kept = "kept" | "keeping" | "failed";
/**
 * How far the server has it. `offline`: nobody answered, it is tried again; `signed-out`: the session is over; `conflict`:
 * both sides changed the same; `refused`: it can't be made; `gone`: the work can't be edited any more.
 */
export type Sent = "saved" | "sending" | "offline" | "signed-out" | "conflict" | "refused" | "gone";

/** Milliseconds until the next try after a failure; the last one goes on. */
const PAUSES = [1000, 2000, 4000, 8000, 15_000];
/** Operations in one request. */
const AT_ONCE = 2000;

interface Waiting {
  /** The revision over which it was done. */
  base: number;
  /** What was done over that revision before it and is in a later one: the server knows these by their names. */
  before: Operation[];
  operations: Operation[];
  /** The journal's key, once it is kept. */
  key: Promise<number | undefined>;
}

/** Who hears what became of it. */
export interface Ends {
  /** These are in a revision; whether it has what others did, too. */
  saved(revision: number, changes: Change[], coming: Change[], isMerged: boolean): void;
  refused(reason: string, lost: Operation[]): void;
}

export class Saver {
  readonly kept = signal<Kept>("kept");
  readonly sent = signal<Sent>("saved");
  /** Why it is refused, or the work is gone. */
  readonly reason = signal("");
  readonly conflict = signal<Conflict | undefined>(undefined);

  /** The revision that the editor shows, with what was done since. */
  #base: number;
  /** What is in a revision that the editor has not taken over, because others changed something in it, too. */
  #since: { revision: number; operations: Operation[] }[] = [];
  readonly #work: string;
  readonly #calls: Pick<Calls, "edit">;
  readonly #journal: Journal | undefined;
  readonly #ends: Ends;
  #waiting: Waiting[] = [];
  #isSending = false;
  /** Both sides changed the same: the server is to keep everything that was done here, in one piece. */
  #isWhole = false;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(work: string, base: number, calls: Pick<Calls, "edit">, journal: Journal | undefined, ends: Ends) {
    this.#work = work;
    this.#base = base;
    this.#calls = calls;
    this.#journal = journal;
    this.#ends = ends;
    if (!journal) this.kept.value = "failed";
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0;
  }

  /** Whether the server has all that was done, once nothing is on its way; false as soon as it can't go on. */
  whenIdle(): Promise<boolean> {
    return new Promise((done) => {
      const follow = effect(() => {
        const sent = this.sent.value;
        if (sent === "sending") return;
        done(sent === "saved" && this.isIdle);
        queueMicrotask(() => follow());
      });
    });
  }

  /** Takes changes over: they are kept at once and sent as soon as it can be. */
  add(operations: Operation[], history: Remembered): void {
    const before = this.#since.flatMap((own) => own.operations);
    this.#waiting.push({ base: this.#base, before, operations, key: this.#keep({ before, operations }, history) });
    this.#go();
  }

  /** The editor shows this revision now, with what is on its way. */
  showing(revision: number): void {
    if (revision <= this.#base) return;
    this.#base = revision;
    this.#since = this.#since.filter((own) => own.revision > revision);
  }

  /** What another page of this browser could not send any more. */
  addKept(batches: { key: number; batch: Batch }[]): void {
    this.#waiting.push(...batches.map(({ key, batch: { base, before, operations } }) => ({ base, before, operations, key: Promise.resolve(key) })));
    this.#go();
  }

  async #keep(done: Pick<Batch, "before" | "operations">, history: Remembered): Promise<number | undefined> {
    if (!this.#journal) return undefined;
    this.kept.value = "keeping";
    try {
      const key = await this.#journal.add({ work: this.#work, base: this.#base, ...done, at: Date.now() }, history);
      this.kept.value = "kept";
      return key;
    } catch {
      // a full or forbidden storage is said, and does not stop what goes to the server
      this.kept.value = "failed";
      return undefined;
    }
  }

  /** Tries at once: the line is back, or somebody has signed in again. */
  readonly again = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (["offline", "signed-out"].includes(this.sent.peek())) this.#go();
  };

  /** Begins anew over another revision, after a conflict or a refusal was settled. */
  restart(revision: number): void {
    this.#base = revision;
    this.#since = [];
    batch(() => {
      this.conflict.value = undefined;
      this.reason.value = "";
      this.sent.value = "saved";
    });
    this.#go();
  }

  #go(): void {
    if (this.#isSending || this.#timer !== undefined) return;
    if (this.isIdle) {
      this.sent.value = "saved";
      return;
    }
    if (["conflict", "refused", "gone"].includes(this.sent.peek())) return;
    void this.#send();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    const batches = this.#next();
    // what waits for a line is not being sent
    if (this.#failures === 0) this.sent.value = "sending";
    // written before anything is sent
    const keys = await Promise.all(batches.map(({ key }) => key));
    const operations = batches.flatMap((batch) => batch.operations);
    const base = batches[0]?.base ?? this.#base;
    try {
      const { revision, merged } = await this.#calls.edit(this.#work, base, [...(batches[0]?.before ?? []), ...operations]);
      this.#failures = 0;
      this.#waiting = this.#waiting.filter((waiting) => !batches.includes(waiting));
      for (const waiting of this.#waiting) {
        if (!merged && waiting.base === base) [waiting.base, waiting.before] = [revision, []];
        else waiting.before = [...waiting.before, ...operations];
      }
      if (merged) this.#since.push({ revision, operations });
      else this.showing(revision);
      await this.#settle(keys);
      this.#ends.saved(revision, operations, this.coming, merged);
      this.#isSending = false;
      this.#go();
    } catch (error) {
      this.#isSending = false;
      if (!(error instanceof HttpError)) throw error;
      await this.#failed(error, batches, keys);
    }
  }

  /** What is sent together: what was done over one revision. */
  #next(): Waiting[] {
    if (this.#isWhole) return this.#waiting;
    const [first] = this.#waiting;
    const next: Waiting[] = [];
    let count = 0;
    for (const waiting of this.#waiting) {
      if (waiting.base !== first?.base || (count > 0 && count + waiting.operations.length > AT_ONCE)) break;
      next.push(waiting);
      count += waiting.operations.length;
    }
    return next;
  }

  /** What was done and is not in any revision yet. */
  get coming(): Change[] {
    return this.#waiting.flatMap(({ operations }) => operations);
  }

  /** Forgets what the server has; what still waits is kept as it would be sent now. */
  async #settle(keys: (number | undefined)[]): Promise<void> {
    const waiting = await Promise.all(this.#waiting.map(async ({ key, ...rest }) => ({ key: await key, ...rest })));
    const known = waiting.flatMap(({ key, ...rest }) => (key === undefined ? [] : { key, ...rest }));
    // the operations have names: what stays here would be made no second time
    await this.#journal?.remove(keys.filter((key) => key !== undefined), known).catch(() => undefined);
  }

  async #failed(error: HttpError, batches: Waiting[], keys: (number | undefined)[]): Promise<void> {
    if (error.status === 409) {
      // the server keeps what it was sent beside the line; what was done meanwhile is to be in it
      const data = dataOf(error.body);
      if (data && this.#waiting.length > batches.length) {
        this.#isWhole = true;
        this.#go();
        return;
      }
      if (data) {
        this.#waiting = [];
        this.#isWhole = false;
        await this.#settle(keys);
      }
      batch(() => {
        this.reason.value = error.reason;
        this.conflict.value = data;
        this.sent.value = data ? "conflict" : "gone";
      });
    } else if (error.status === 400) {
      const lost = batches.flatMap(({ operations }) => operations);
      this.#waiting = this.#waiting.filter((waiting) => !batches.includes(waiting));
      await this.#settle(keys);
      batch(() => {
        this.reason.value = error.reason;
        this.sent.value = "refused";
      });
      this.#ends.refused(error.reason, lost);
    } else if (error.status === 403 || error.status === 404) {
      batch(() => {
        this.reason.value = error.reason;
        this.sent.value = "gone";
      });
    } else {
      this.sent.value = error.status === 401 ? "signed-out" : "offline";
      const pause = PAUSES[Math.min(this.#failures, PAUSES.length - 1)];
      this.#failures += 1;
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#go();
      }, pause);
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

function dataOf(body: string): Conflict | undefined {
  try {
    const { data } = JSON.parse(body) as { data?: Partial<Conflict> };
    return data?.revision !== undefined && data.kept !== undefined ? { revision: data.revision, kept: data.kept } : undefined;
  } catch {
    return undefined;
  }
}
