// The editor: the book, what is selected, what is being done, and the one way in which anything changes.
import { batch, computed, effect, signal, untracked } from "@preact/signals-react";
import type { EditorDesk, EditorFinding, EditorLook, EditorProps } from "../generated/works.js";
import { HttpError } from "../runtime/http/error.js";
import { complain } from "../runtime/problem.js";
import { toast } from "../runtime/toasts.js";
import { leaveOverview } from "./alone.js";
import { Book, type ElementModel, type PageModel, elementOf } from "./Book.js";
import { type Calls, type Current, calls as real } from "./calls.js";
import { type Change, type Operation, Refused } from "./edit.js";
import type { Guide } from "./snapping.js";
import { History, type Step } from "./History.js";
import type { Batch, Journal } from "./journal.js";
import { type Point, boundsOf } from "./geometry.js";
import { Library } from "./Library.js";
import { nameOf } from "./names.js";
import { Saver } from "./Saver.js";
import { Tabs } from "./tabs.js";
import { View } from "./View.js";
import { uuid } from "../runtime/uuid.js";

/** What the hand does: arranging, choosing a photo's part, writing. */
export type Mode = { kind: "arrange" } | { kind: "crop"; id: string } | { kind: "write"; id: string };

/** What is carried to a page: a photo of the tray, or one whose frame it is to leave. */
export interface Carried {
  photo: string;
  from?: string;
}

/** Pixels for a millimetre from which the smallest letters can be written. */
const READABLE = 4;
/** Milliseconds after the last save until preflight is asked. */
const QUIET = 1200;

const UNDONE = "已撤销";

/** Of what the page says of a work, what stays as it is. */
export type Setting = Omit<EditorProps, "revision" | "document" | "shown" | "looks">;

/** What lies ready beside the pages. Of the library it may be nothing at first. */
export type Desk = Pick<EditorDesk, "shown" | "looks"> & Partial<Pick<EditorDesk, "newest">>;

export class Editor {
  readonly props: Setting;
  readonly calls: Calls;
  readonly book: Book;
  readonly view: View;
  readonly history = new History();
  readonly saver: Saver;
  readonly tabs: Tabs;

  readonly library: Library;
  readonly looks: ReadonlyMap<string, EditorLook>;
  readonly findings = signal<EditorFinding[]>([]);
  readonly selection = signal<readonly string[]>([]);
  readonly mode = signal<Mode>({ kind: "arrange" });
  readonly carried = signal<Carried | undefined>(undefined);
  /** What a screen reader is told. */
  readonly said = signal("");
  /** Of what is to have the focus: an element's id, or a page's. */
  readonly wanted = signal<string | undefined>(undefined);
  /** While something is moved: the lines that it lies on, and on which page. */
  readonly guides = signal<{ page: PageModel; lines: Guide[] } | undefined>(undefined);
  /** Whether the pages show layers instead of pictures: a hand is at work. */
  readonly isMoving = signal(false);
  /** Whether the pages have the whole screen. */
  readonly isAlone = signal(false);
  /** Whether all spreads are seen in small instead of the open pages. */
  readonly isOverview = signal(false);
  /** The open pages have stood: what nobody has asked for may come, too. */
  readonly isSettled = signal(false);
  /** What stays where it stood while the hand has a copy of it. */
  readonly left = signal<readonly ElementModel[]>([]);
  readonly isCropping = computed(() => this.mode.value.kind === "crop");
  /** A newer script writes in another tab. */
  readonly isReplaced = signal(false);
  /** The whole book is being made anew: nothing is done to the old one meanwhile. */
  readonly isRestyling = signal(false);
  readonly canEdit = computed(
    () =>
      this.tabs.isWriter.value && !this.isReplaced.value && !this.isRestyling.value && !["conflict", "gone"].includes(this.saver.sent.value),
  );
  readonly selected = computed<ElementModel[]>(() => this.selection.value.flatMap((id) => this.book.element(id) ?? []));

  readonly #journal: Journal | undefined;
  readonly #unfollow: () => void;
  /** Takes the offer to undo away. */
  #withdraw: () => void = () => undefined;
  #finding: ReturnType<typeof setTimeout> | undefined;
  /** What another page left is on its way: only the server knows what it comes to. */
  #isResuming = false;
  /** What was seen before a text was brought near. */
  #away: { zoom: number; pan: Point } | undefined;

  constructor(props: Setting, current: Current, desk: Desk, journal?: Journal, calls: Calls = real) {
    this.props = props;
    this.calls = calls;
    this.#journal = journal;
    this.book = new Book(current.document, current.revision);
    this.view = new View(this.book, props.page, props.isSingle, props.cover);
    this.library = new Library(desk, (search, last) => calls.photos(props.work, search, last));
    this.looks = new Map(desk.looks.map((look) => [look.name, look]));
    this.#unfollow = effect(() => this.#leaveUnseen());
    this.tabs = new Tabs(props.work, (revision) => void this.#heard(revision));
    this.saver = new Saver(props.work, current.revision, calls, journal, {
      saved: (revision, made, coming, isMerged) => this.#saved(revision, made, coming, isMerged),
      refused: (reason, lost) => void this.#refused(reason, lost),
    });
  }

  /** Whoever turns the page leaves what was selected: no key is to reach what nobody sees. */
  #leaveUnseen(): void {
    const open = new Set(this.view.open.value.map(({ page }) => page));
    untracked(() => {
      const seen = this.selection.value.filter((id) => {
        const page = this.book.pageOf(id);
        return page && open.has(page);
      });
      if (seen.length < this.selection.value.length) this.select(seen, { quietly: true });
    });
  }

  /** The page that commands are about: of the selection, else the open one. */
  get page(): PageModel | undefined {
    const [first] = this.selection.peek();
    const open = this.view.open.peek();
    const own = first === undefined ? undefined : this.book.pageOf(first);
    return own ?? open.find(({ page }) => page.number.peek() === this.view.number.peek())?.page ?? open[0]?.page;
  }

  select(ids: readonly string[], { quietly = false } = {}): void {
    const before = this.selection.peek();
    if (ids.length === before.length && ids.every((id, place) => id === before[place])) return;
    batch(() => {
      this.selection.value = ids;
      const mode = this.mode.peek();
      if (mode.kind !== "arrange" && !ids.includes(mode.id)) this.setMode({ kind: "arrange" });
    });
    const [first] = ids;
    if (quietly || first === undefined) return;
    const page = this.book.pageOf(first);
    if (page) this.view.number.value = this.view.open.peek().some((open) => open.page === page) ? page.number.peek() : this.view.number.peek();
    this.say(ids.length === 1 ? `已选中${nameOf(this, first)}` : `已选中 ${ids.length} 件`);
  }

  setMode(mode: Mode): void {
    const before = this.mode.peek();
    if (before.kind === mode.kind) return;
    // what is done to a crop from entering it to leaving it is a step of its own
    if (before.kind === "crop" || mode.kind === "crop") this.history.seal();
    batch(() => {
      // letters that are written can be read
      if (mode.kind === "write") this.#away = this.#approach(mode.id);
      else if (this.#away) {
        this.view.zoom.value = this.#away.zoom;
        this.view.pan.value = this.#away.pan;
        this.#away = undefined;
      }
      this.mode.value = mode;
    });
  }

  /** Ends writing: the field goes, and the keys go on with the text. */
  endWriting(): void {
    const mode = this.mode.peek();
    if (mode.kind !== "write") return;
    this.setMode({ kind: "arrange" });
    this.focus(mode.id);
  }

  /** Brings a text near, where it is small; answers what was seen before. */
  #approach(id: string): { zoom: number; pan: Point } | undefined {
    const [element, page] = [this.book.element(id), this.book.pageOf(id)];
    if (!element || !page || this.view.scale.peek() >= READABLE) return undefined;
    const before = { zoom: this.view.zoom.peek(), pan: this.view.pan.peek() };
    this.view.fitTo(page, boundsOf(element.frame, element.rotation));
    return before;
  }

  carry(carried: Carried | undefined): void {
    this.carried.value = carried;
  }

  say(text: string): void {
    // the same words again are read out again
    this.said.value = this.said.peek() === text ? `${text}\u200b` : text;
  }

  /**
   * Makes changes as one step; false where one of them can't be made, and then none is. Steps with the same mark that follow
   * each other soon are one, however long it takes where it is one act.
   */
  commit(name: string, changes: Change[], merge?: string, isOneAct = false): boolean {
    if (changes.length === 0) return true;
    if (!this.canEdit.peek()) {
      toast("现在不能编辑，请先处理上面的提示", { bad: true });
      return false;
    }
    const back = this.#make(changes);
    if (!back) return false;
    this.#withdraw();
    this.history.add({ name, forward: changes, back, merge, at: Date.now() }, isOneAct);
    this.#save(changes);
    this.#settle();
    return true;
  }

  /** Says that something is gone, with a button that brings it back for as long as nothing else was done. */
  offerUndo(text: string): void {
    this.say(text);
    const run = () => {
      this.undo();
      this.focus(this.selection.peek()[0] ?? this.page?.id);
    };
    this.#withdraw = toast(text, { silent: true, act: { text: "撤销", run } });
  }

  /** Gives the focus to something of the pages, or to a page. */
  focus(id: string | undefined): void {
    this.wanted.value = id;
  }

  /** Nobody works on what is gone, or looks past the end. */
  #settle(): void {
    const { selection, view, book } = this;
    view.number.value = Math.min(view.number.peek(), book.pages.peek().length - 1);
    if (selection.peek().some((id) => !book.element(id))) this.select(selection.peek().filter((id) => book.element(id)), { quietly: true });
  }

  #make(changes: Change[]): Change[] | undefined {
    const back: Change[] = [];
    try {
      batch(() => {
        for (const change of changes) back.unshift(this.book.make(change));
      });
      return back;
    } catch (reason) {
      if (!(reason instanceof Refused)) throw reason;
      for (const change of back) this.book.make(change);
      toast(reason.message, { bad: true });
      return undefined;
    }
  }

  #save(changes: Change[]): void {
    const operations: Operation[] = changes.map((change) => ({ id: uuid(), ...change }));
    this.saver.add(operations, this.history.remembered);
  }

  undo(): void {
    this.#again(this.history.last, UNDONE, (step) => step.back, () => this.history.undo());
  }

  redo(): void {
    this.#again(this.history.next, "已重做", (step) => step.forward, () => this.history.redo());
  }

  /** Gives the whole book another style, as one step; whether it has it. */
  async restyle(name: string, code: string): Promise<boolean> {
    let whole = { before: 0, after: 0 };
    const isMade = await this.#replace(async (before) => {
      whole = { before, after: await this.calls.restyle(this.props.work, before, code) };
    });
    if (!isMade) return false;
    this.#withdraw();
    this.history.add({ name, forward: [], back: [], whole, at: Date.now() });
    this.#remember();
    return true;
  }

  /** Makes another revision of the whole book the newest, over the one that has all that was done here, and takes it over. */
  async #replace(make: (over: number) => Promise<void>): Promise<boolean> {
    if (!this.canEdit.peek()) return false;
    this.setMode({ kind: "arrange" });
    this.isRestyling.value = true;
    try {
      if (!(await this.saver.whenIdle())) {
        toast("刚才的改动还没有存到服务器，存好了再换", { bad: true });
        return false;
      }
      await make(this.book.revision);
      await this.reload();
      this.tabs.tell(this.book.revision);
      this.lookAgain();
      this.#settle();
      return true;
    } catch (error) {
      complain(error);
      // another device was here: what it did is to be seen before it is tried again
      if (error instanceof HttpError && error.status === 409) await this.reload();
      return false;
    } finally {
      this.isRestyling.value = false;
    }
  }

  #remember(): void {
    void this.#journal?.keepHistory(this.props.work, this.book.revision, this.history.remembered).catch(() => undefined);
  }

  /** Goes to another revision of the whole book; a step that leads nowhere any more is forgotten. */
  async #travel(step: Step, word: string, to: number, take: () => void): Promise<void> {
    const isThere = await this.#replace(async (over) => {
      try {
        await this.calls.restore(this.props.work, over, to);
      } catch (error) {
        if (error instanceof HttpError && error.status === 404) this.history.forget(step);
        throw error;
      }
    });
    if (!isThere) return;
    take();
    this.#remember();
    this.say(`${word}：${step.name}`);
  }

  #again(step: Step | undefined, word: string, changes: (step: Step) => Change[], take: () => void): void {
    if (!step || !this.canEdit.peek()) return;
    if (step.whole) {
      this.#withdraw();
      void this.#travel(step, word, word === UNDONE ? step.whole.before : step.whole.after, take);
      return;
    }
    this.setMode({ kind: "arrange" });
    take();
    const made = changes(step);
    if (!this.#make(made)) {
      this.history.forget(step);
      return;
    }
    this.#withdraw();
    this.#save(made);
    this.#settle();
    const touched = [...new Set(made.map(elementOf))];
    // pages that moved are seen there, what changed on one is not
    if (touched.some(Boolean)) leaveOverview(this);
    const still = touched.filter((id) => this.book.element(id));
    const [first] = made;
    const page = first && this.book.page(first.op === "insert" ? (first.pages[0]?.id ?? "") : first.page);
    if (page) this.view.goTo(page.number.peek());
    this.select(still, { quietly: true });
    this.say(`${word}：${step.name}`);
  }

  #saved(revision: number, made: Change[], coming: Change[], isMerged: boolean): void {
    this.book.acknowledged(revision, made, coming);
    this.tabs.tell(revision);
    this.#remember();
    this.lookAgain();
    if (isMerged || (this.#isResuming && this.saver.isIdle)) void this.reload();
    if (this.saver.isIdle) this.#isResuming = false;
  }

  /** Asks preflight, when nothing has been saved for a while. */
  lookAgain(): void {
    clearTimeout(this.#finding);
    this.#finding = setTimeout(() => {
      this.calls.findings(this.props.work).then((found) => (this.findings.value = found), () => undefined);
    }, QUIET);
  }

  /** Takes the newest revision over, with what is on its way made on top. */
  async reload(): Promise<void> {
    try {
      const { revision, document } = await this.calls.document(this.props.work);
      if (revision < this.book.revision) return;
      const coming = this.saver.coming;
      batch(() => {
        this.book.load(document, revision);
        this.saver.showing(revision);
        for (const change of coming) {
          try {
            this.book.make(change);
          } catch (reason) {
            // the server decides, and says so
            if (!(reason instanceof Refused)) throw reason;
          }
        }
        this.selection.value = this.selection.peek().filter((id) => this.book.element(id));
      });
    } catch (error) {
      if (error instanceof HttpError && error.status !== 0) complain(error);
    }
  }

  async #heard(revision: number): Promise<void> {
    if (this.tabs.isWriter.peek() || revision <= this.book.revision) return;
    await this.reload();
    this.say("另一个标签页改了这本书，这里已跟上");
  }

  async #refused(reason: string, lost: Operation[]): Promise<void> {
    const words = lost.flatMap((operation) => (operation.op === "set" && operation.name === "text" ? [String(operation.value)] : []));
    const typed = words.at(-1);
    toast(`服务器没有接受刚才的改动：${reason}${typed ? `。刚打的字：${typed}` : ""}`, { bad: true });
    await this.reload();
    this.saver.restart(this.book.revision);
  }

  /** What the other side has stays the newest; one's own stays kept beside it. */
  async leaveConflict(): Promise<void> {
    await this.reload();
    this.saver.restart(this.book.revision);
  }

  /** One's own becomes the newest; the other side stays an earlier version. */
  async winConflict(): Promise<void> {
    const conflict = this.saver.conflict.peek();
    if (!conflict) return;
    try {
      await this.calls.restore(this.props.work, conflict.revision, conflict.kept);
      await this.leaveConflict();
    } catch (error) {
      complain(error);
    }
  }

  /** The writer goes on: what another page of this browser left behind is in the book already. */
  async remember(): Promise<void> {
    const known = await this.#journal?.history(this.props.work).catch(() => undefined);
    if (!known) return;
    this.history.restore(known);
    // the server may have read the page before it had the last of what was done on the one before
    if (known.revision > this.book.revision) await this.reload();
  }

  /** What an earlier page of this browser did and could not send: it is shown again, and sent. */
  resume(left: { key: number; batch: Batch }[]): void {
    for (const change of left.flatMap(({ batch }) => batch.operations)) {
      try {
        this.book.make(change);
      } catch (reason) {
        // the server may have it already
        if (!(reason instanceof Refused)) throw reason;
      }
    }
    this.#isResuming = true;
    this.saver.addKept(left);
    this.say("上次没有传完的改动已接着保存");
  }

  /** A newer script writes the journal: this one would not know what is in it. */
  stopWriting(): void {
    this.isReplaced.value = true;
  }

  stop(): void {
    this.#unfollow();
    clearTimeout(this.#finding);
    this.saver.stop();
    this.tabs.stop();
  }
}
