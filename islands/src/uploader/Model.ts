// The photos that somebody chose on this page, and how far each has come.
import { batch, computed, signal } from "@preact/signals-react";
import type { Upload } from "tus-js-client";
import type { UploaderProps } from "../generated/photos.js";
import { HttpError } from "../runtime/http/error.js";
import { bytes } from "./bytes.js";
import { Sending, isOver } from "./File.js";
import { isHeif, sha256 } from "./digest.js";
import { isWorthwhile } from "./preview.js";
import { type Ends, type Known, type Others, ask, othersIn, send, sendAhead } from "./transport.js";

/** Files at once: enough to fill a line whose answers take their time. */
const AT_ONCE = 3;
/** Files that one question names. */
const ASKED = 20;

/** What the model needs of the world; tests play it. */
export interface World {
  ask(hashes: string[]): Promise<Known>;
  send(item: Sending, ends: Ends): Promise<Upload | undefined>;
  sendAhead(item: Sending): Promise<string>;
  sha256(file: Blob): Promise<string>;
}

/** The server. */
const at = (props: UploaderProps): World => ({
  ask: (hashes) => ask(props, hashes),
  send: (item, ends) => send(props, item, ends),
  sendAhead: (item) => sendAhead(props, item),
  sha256,
});

/** A work that was made while originals were on their way. */
export interface Made {
  address: string;
  /** What it was laid out with. */
  photos: string[];
}

export class Uploads {
  readonly items = signal<Sending[]>([]);
  readonly isPaused = signal(false);
  /** Nothing is sent before the form around is. */
  readonly isHeld = signal(false);
  /** Why nothing goes on; empty where it does. */
  readonly problem = signal("");
  /** The session is over. */
  readonly isSignedOut = signal(false);

  /** Bytes that there is room for. */
  readonly left = signal(0);

  readonly filesOver = computed(() => this.items.value.filter((item) => isOver(item.state.value)).length);
  readonly isOver = computed(() => this.filesOver.value === this.items.value.length);
  readonly #sending = computed(() => this.items.value.filter((item) => item.state.value !== "refused"));
  readonly bytesAll = computed(() => this.#sending.value.reduce((sum, item) => sum + item.file.size, 0));
  readonly bytesSent = computed(() => this.#sending.value.reduce((sum, item) => sum + item.sent.value, 0));
  /** Photos that are in the library, each once; of some only a small copy. */
  readonly photos = computed(() => [...new Set(this.#sending.value.map((item) => item.photo.value).filter(Boolean))]);
  /** How many can be laid out, or never will be. */
  readonly shown = computed(() => this.items.value.filter((item) => isOver(item.state.value) || item.photo.value !== "").length);
  /** Whether pages can be laid out with every photo. */
  readonly isShown = computed(() => this.shown.value === this.items.value.length);
  readonly made = signal<Made | null>(null);
  readonly #refused = computed(() => this.items.value.filter((item) => item.state.value === "refused"));
  /** Refused originals whose small copies stand in the work that was made: it can't be ordered. */
  readonly lacking = computed(() => this.#refused.value.filter((item) => this.made.value?.photos.includes(item.photo.value)));
  /** What else was not taken. */
  readonly refused = computed(() => this.#refused.value.filter((item) => !this.lacking.value.includes(item)));

  readonly #props: UploaderProps;
  readonly #world: World;
  #isChecking = false;
  #isAhead = false;
  /** The line is broken: no more small copies until somebody goes on. */
  #isCutOff = false;
  readonly #uploads = new Map<Sending, Upload>();
  #next = 0;

  constructor(props: UploaderProps, world: World = at(props)) {
    this.#props = props;
    this.#world = world;
    this.isHeld.value = props.isGuests;
    this.left.value = props.left;
  }

  /** Takes files in; what can't be taken is refused before a byte is sent. */
  add(files: Iterable<File>): void {
    const added = [...files].map((file) => new Sending(file, this.#next++));
    if (added.length === 0) return;
    batch(() => {
      this.items.value = [...this.items.peek(), ...added];
      for (const item of added) {
        if (item.file.size === 0) item.refuse("文件是空的");
        else if (item.file.size > this.#props.mostBytes) {
          item.refuse(`文件有 ${bytes(item.file.size)}，超过了每张 100 MB 的上限`);
        }
      }
    });
    this.#go();
  }

  /** Sends what was chosen. */
  begin(): void {
    this.isHeld.value = false;
    this.#go();
  }

  /** Takes a photo out of what was chosen; one that has come stays in the library. A guest's upload gives its place back. */
  remove(item: Sending): void {
    this.#uploads.get(item)?.abort(this.#props.isGuests).catch(() => undefined);
    this.items.value = this.items.peek().filter((other) => other !== item);
    this.#leave(item);
  }

  /** The same by what the photo is called that stands there. */
  drop(photo: string): void {
    const item = this.items.peek().find((item) => item.photo.peek() === photo);
    if (item) this.remove(item);
  }

  pause(): void {
    this.isPaused.value = true;
    for (const upload of this.#uploads.values()) void upload.abort();
  }

  resume(): void {
    batch(() => {
      this.isPaused.value = false;
      this.problem.value = "";
      this.isSignedOut.value = false;
    });
    this.#isCutOff = false;
    for (const upload of this.#uploads.values()) upload.start();
    this.#go();
  }

  #go(): void {
    if (this.isPaused.peek() || this.isHeld.peek()) return;
    void this.#check();
    void this.#sendAhead();
    // the small copies have the line to themselves
    if (this.#isAhead) return;
    while (this.#uploads.size < AT_ONCE) {
      const item = this.#first("ready");
      if (!item) break;
      void this.#send(item);
    }
  }

  #first(state: Sending["state"]["value"]): Sending | undefined {
    return this.items.peek().find((item) => item.state.peek() === state);
  }

  /** Sends small copies, one after the other. One that fails is no loss: the original comes. */
  async #sendAhead(): Promise<void> {
    if (this.#isAhead || this.#isCutOff) return;
    const next = () => this.items.peek().find((item) => item.wantsPreview && item.state.peek() === "ready");
    if (!next()) return;
    this.#isAhead = true;
    for (let item = next(); item && !this.isPaused.peek() && !this.#isCutOff; item = next()) {
      try {
        item.photo.value = await this.#world.sendAhead(item);
        item.wantsPreview = false;
      } catch {
        this.#isCutOff = true;
      }
    }
    this.#isAhead = false;
    this.#go();
  }

  /** Computes what files are and asks which of them are here; one question at a time. */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      while (!this.isPaused.peek()) {
        const some = this.items.peek().filter((item) => item.state.peek() === "waiting").slice(0, ASKED);
        if (some.length === 0) break;
        await this.#checkSome(some);
        this.#go();
      }
    } finally {
      this.#isChecking = false;
    }
  }

  async #checkSome(some: Sending[]): Promise<void> {
    for (const item of some) {
      item.state.value = "checking";
      try {
        if (this.#props.heic !== null && await isHeif(item.file)) item.refuse(this.#props.heic);
        else item.sha256 = await this.#world.sha256(item.file);
      } catch {
        item.refuse("文件读不出来，请重新选择");
      }
    }
    const checked = some.filter((item) => item.state.peek() === "checking");
    if (checked.length === 0) return;
    let answer: Known;
    try {
      answer = await this.#world.ask(checked.map((item) => item.sha256));
    } catch (error) {
      for (const item of checked) item.state.value = "waiting";
      const { status, body, msg } = error instanceof HttpError ? error : { status: 0, body: "", msg: "" };
      if (othersIn(body) === "all") this.#end("all", msg);
      else this.stop(status);
      return;
    }
    // what is under way counts at the server already, but for what it has not heard of yet
    const left = Math.max(0, answer.left - this.#unheard());
    batch(() => {
      this.left.value = left;
      for (const item of checked) this.#judge(item, answer);
    });
  }

  #unheard(): number {
    const ready = this.items.peek().filter((item) => item.state.peek() === "ready");
    return ready.reduce((sum, item) => sum + item.uncounted, 0);
  }

  #judge(item: Sending, { known, coming, open }: Known): void {
    item.isCounted = open.includes(item.sha256);
    const photo = known[item.sha256];
    const twin = this.items.peek().find((other) => other !== item && other.key < item.key && other.sha256 === item.sha256);
    if (photo) item.settle("known", photo);
    else if (twin && twin.state.peek() !== "refused") item.settle("known", "");
    else if (item.uncounted > this.left.peek()) item.refuse(this.#props.noRoom);
    else {
      this.left.value -= item.uncounted;
      item.photo.value = coming[item.sha256] ?? "";
      item.wantsPreview = (this.#props.inForm || this.#props.isGuests) && item.photo.value === "" && isWorthwhile(item.file);
      item.state.value = "ready";
    }
  }

  async #send(item: Sending): Promise<void> {
    item.state.value = "sending";
    // keeps its place while the library is loaded
    this.#uploads.set(item, IDLE);
    const upload = await this.#world.send(item, {
      taken: (photo) => {
        if (!this.items.peek().includes(item)) return;
        item.settle("taken", photo);
        this.#leave(item);
      },
      failed: (status, reason, others) => this.#failed(item, status, reason, others),
    }).catch(() => undefined);
    if (!upload) {
      this.#failed(item, 0, "");
      return;
    }
    // taken out meanwhile
    if (!this.items.peek().includes(item)) {
      this.#leave(item);
      return;
    }
    this.#uploads.set(item, upload);
    if (!this.isPaused.peek()) upload.start();
  }

  #failed(item: Sending, status: number, reason: string, others?: Others): void {
    if (others || (status >= 400 && status < 500 && status !== 401)) {
      item.refuse(reason || "没有收下，请换一张再试");
      if (others && others !== "this") this.#end(others, reason);
      this.#leave(item);
      return;
    }
    this.#uploads.delete(item);
    item.state.value = "ready";
    this.stop(status);
  }

  /** Nothing more is taken: of all that has not come, or of what has no place yet. */
  #end(others: "all" | "new", reason: string): void {
    batch(() => {
      for (const item of this.items.peek()) {
        const hasPlace = item.isCounted || item.photo.peek() !== "";
        if (isOver(item.state.peek()) || (others === "new" && hasPlace)) continue;
        this.#uploads.get(item)?.abort().catch(() => undefined);
        this.#uploads.delete(item);
        item.refuse(reason);
      }
    });
  }

  #leave(item: Sending): void {
    this.#uploads.delete(item);
    this.#go();
  }

  /** Nothing goes on until the member says so. */
  stop(status: number): void {
    if (this.isPaused.peek()) return;
    this.pause();
    this.isSignedOut.value = status === 401;
    this.problem.value = status === 401 ? "登录已过期，请登录后再继续" : "网络不通，已经传到的都保留着，请稍后继续";
  }
}

/** The place of an upload that is about to begin. */
const IDLE = { abort: () => Promise.resolve(), start: () => undefined } as unknown as Upload;
