// The tools as a small state chart. A gesture's every state follows from what was when it began and where the hand is now.
import { ElementModel, type PageModel } from "./Book.js";
import { type Before, type Keys, type Outcome, boxOf, move, panCrop, pinchCrop, resize, resizeAll } from "./gestures.js";
import { type Placement, type Point, type Pull, angleTo, boundsOf, centreOf, holds, roundRect, shifted, steered, touches, turnedAbout, unionOf } from "./geometry.js";
import * as actions from "./actions.js";
import type { Change } from "./edit.js";
import type { Editor } from "./Model.js";
import { type Candidates, REACH, candidatesOf } from "./snapping.js";
import type { Spot } from "./View.js";

/** Pixels after which a press is a drag. */
const SLOP = { mouse: 4, touch: 6, pen: 6 } as const;
/** Milliseconds and pixels within which two taps are one double tap. */
const [TAP_MS, TAP_PX] = [300, 35];
const LONG_PRESS_MS = 500;
/** Milliseconds at the edge until the stage goes along, the edge's width in pixels, and how many of them it goes in a millisecond. */
const [EDGE_MS, EDGE_PX, EDGE_SPEED] = [200, 28, 0.4];

/** What lies under the pointer. */
export type Target =
  | { kind: "paper" }
  | { kind: "element"; id: string }
  | ((
      | { kind: "handle"; pull: Pull }
      | { kind: "turn" }
      | { kind: "swap" }
    ) & {
      /** What of the page it covers there. */
      over?: string | undefined;
    });

interface Begun {
  pointer: number;
  type: "mouse" | "touch" | "pen";
  /** On the stage, in pixels. */
  from: Point;
  target: Target;
  keys: Keys;
}

/** What a gesture needs to know, found once. */
interface Work {
  begun: Begun;
  page: PageModel;
  /** Where on the page it began, in mm: the stage may go along meanwhile. */
  from: Point;
  before: Before[];
  candidates: Candidates;
}

type State =
  | { kind: "idle" }
  | { kind: "pressed"; begun: Begun; held: ReturnType<typeof setTimeout> }
  | { kind: "moving"; work: Work; outcome?: Outcome }
  | { kind: "resizing"; work: Work; pull: Pull; outcome?: Outcome }
  | { kind: "turning"; work: Work; outcome?: Outcome }
  | { kind: "cropping"; work: Work }
  | { kind: "swapping"; begun: Begun; id: string }
  | { kind: "marking"; from: Spot; before: readonly string[] }
  | { kind: "panning"; pointer: number; last: Point }
  | { kind: "pinching"; distance: number; middle: Point; zoom: number; pan: Point }
  | { kind: "pinch-cropping"; work: Work; distance: number; middle: Point };

/** Shows the rectangle with which things are marked, in pixels of the stage; undefined takes it away. */
export type Mark = (rect?: { x: number; y: number; width: number; height: number }) => void;

export class Machine {
  #state: State = { kind: "idle" };
  #at: Point = { x: 0, y: 0 };
  #keys: Keys = { shift: false, alt: false, free: false };
  #tap: { at: number; point: Point } | undefined;
  /** Whether somebody watches the edges already. */
  #isAtEdge = false;
  /** Fingers on the stage. */
  readonly #fingers = new Map<number, Point>();
  isSpace = false;

  readonly #editor: Editor;
  /** What shows the rectangle with which things are marked. */
  #mark: Mark = () => undefined;

  constructor(editor: Editor) {
    this.#editor = editor;
  }

  /** Who shows it. */
  showMarks(mark: Mark): void {
    this.#mark = mark;
  }

  get isBusy(): boolean {
    return this.#state.kind !== "idle" && this.#state.kind !== "pressed";
  }

  down(pointer: number, type: string, button: number, at: Point, target: Target, keys: Keys): void {
    const kind = type === "touch" || type === "pen" ? type : "mouse";
    if (kind === "touch") this.#fingers.set(pointer, at);
    if (this.#fingers.size === 2) {
      this.cancel();
      this.#pinch({ pointer, type: kind, from: at, target, keys });
      return;
    }
    if (this.#state.kind !== "idle") return;
    if (button === 1 || (button === 0 && this.isSpace)) {
      this.#state = { kind: "panning", pointer, last: at };
      return;
    }
    if (button !== 0) return;
    const begun = { pointer, type: kind, from: at, target, keys } as const;
    this.#at = at;
    this.#keys = keys;
    const held = setTimeout(() => this.#longPress(begun), LONG_PRESS_MS);
    this.#state = { kind: "pressed", begun, held };
  }

  move(pointer: number, at: Point, keys: Keys): void {
    if (this.#fingers.has(pointer)) this.#fingers.set(pointer, at);
    this.#keys = keys;
    const state = this.#state;
    switch (state.kind) {
      case "idle":
        return;
      case "pinching":
      case "pinch-cropping":
        this.#pinched(state);
        return;
      case "panning":
        if (state.pointer !== pointer) return;
        this.#editor.view.panBy(at.x - state.last.x, at.y - state.last.y);
        state.last = at;
        return;
      case "pressed":
        if (state.begun.pointer !== pointer) return;
        this.#at = at;
        if (distance(state.begun.from, at) >= SLOP[state.begun.type]) this.#begin(state.begun);
        return;
      default:
        this.#at = at;
        this.#step();
    }
  }

  /** A key went down or up in the middle of a gesture, or the stage was pushed. */
  keys(keys: Keys): void {
    this.#keys = keys;
    if (this.isBusy) this.#step();
  }

  /** `when` is the event's own time: whoever is late to hear of a tap still knows how long ago the last one was. */
  up(pointer: number, at: Point, when = performance.now()): void {
    this.#fingers.delete(pointer);
    const state = this.#state;
    if (state.kind === "pinching") {
      if (this.#fingers.size === 0) this.#state = { kind: "idle" };
      return;
    }
    if (state.kind === "pressed") {
      clearTimeout(state.held);
      this.#state = { kind: "idle" };
      this.#tapped(state.begun, at, when);
      return;
    }
    this.#at = at;
    this.#end(state);
  }

  /** Everything is as it was when the gesture began. */
  cancel(): boolean {
    const state = this.#state;
    if (state.kind === "pressed") clearTimeout(state.held);
    if (state.kind === "marking") this.#editor.select(state.before, { quietly: true });
    if (state.kind === "swapping") this.#editor.carry(undefined);
    const was = this.isBusy;
    this.#rest(this.#workOf(state));
    return was;
  }

  #workOf(state: State): Work | undefined {
    return "work" in state ? state.work : undefined;
  }

  /** Ends a gesture: nothing is live any more. */
  #rest(work: Work | undefined): void {
    this.#state = { kind: "idle" };
    this.#mark();
    this.#editor.guides.value = undefined;
    this.#editor.isMoving.value = false;
    this.#leave(undefined);
    for (const { id } of work?.before ?? []) {
      const element = this.#editor.book.element(id);
      if (element) element.live.value = undefined;
    }
  }

  #longPress(begun: Begun): void {
    if (this.#state.kind !== "pressed" || begun.type === "mouse") return;
    this.#state = { kind: "idle" };
    // a finger that stays adds to what is selected, as Shift does
    if (begun.target.kind === "element") this.#toggle(begun.target.id);
  }

  #toggle(id: string): void {
    const selection = this.#editor.selection.peek();
    const page = this.#editor.book.pageOf(id);
    const beside = selection.filter((other) => this.#editor.book.pageOf(other) === page);
    this.#editor.select(selection.includes(id) ? selection.filter((other) => other !== id) : [...beside, id]);
  }

  /** A grip is for drags: under a finger it reaches far, and leaves a tap to what it covers. */
  #meant({ target, type }: Begun): Target {
    const { mode, selection } = this.#editor;
    if (!("over" in target) || target.over === undefined || type === "mouse" || mode.peek().kind !== "arrange" || selection.peek().length > 1) return target;
    return { kind: "element", id: target.over };
  }

  #tapped(begun: Begun, at: Point, when: number): void {
    const editor = this.#editor;
    const { keys, from } = begun;
    const target = this.#meant(begun);
    const isDouble = this.#tap !== undefined && when - this.#tap.at <= TAP_MS && distance(this.#tap.point, at) <= TAP_PX;
    this.#tap = isDouble ? undefined : { at: when, point: at };
    if (editor.carried.peek()) {
      this.drop(from);
      return;
    }
    if (target.kind === "paper") {
      const mode = editor.mode.peek();
      if (mode.kind === "crop" && isDouble) editor.setMode({ kind: "arrange" });
      else if (!keys.shift) editor.select([]);
      const spot = editor.view.spot(from);
      if (spot) editor.view.number.value = spot.page.number.peek();
      return;
    }
    if (target.kind !== "element") {
      if (isDouble) this.open();
      return;
    }
    if (keys.shift) this.#toggle(target.id);
    else editor.select([target.id]);
    if (isDouble) this.open();
  }

  /** Goes into what is selected: a photo's part is chosen, a text is written. */
  open(): void {
    const editor = this.#editor;
    const [element, another] = editor.selected.peek();
    if (!element || another || !editor.canEdit.peek()) return;
    const { kind } = element.value.peek();
    if (element.isLocked) editor.say("已锁定，先解锁才能修改");
    else if (kind === "photo") editor.setMode({ kind: "crop", id: element.id });
    else if (kind === "text") editor.setMode({ kind: "write", id: element.id });
  }

  /** Puts what is carried down at a point of the stage. */
  drop(at: Point): void {
    this.put(this.#editor.view.spot(at));
  }

  /** The same at a place of a page, which need not be open. */
  put(spot: Spot | undefined): void {
    const editor = this.#editor;
    const carried = editor.carried.peek();
    editor.carry(undefined);
    if (!carried || !spot) return;
    const under = this.#topmost(spot.page, spot, carried.from);
    if (carried.from) {
      const from = editor.book.element(carried.from);
      if (from && under) actions.swapPhotos(editor, from, under);
    } else if (under) actions.replacePhoto(editor, under, carried.photo);
    else actions.addPhoto(editor, spot.page, carried.photo, spot);
  }

  #topmost(page: PageModel, point: Point, but?: string): ElementModel | undefined {
    const photos = page.elements.peek().filter(({ id, value }) => id !== but && value.peek().kind === "photo");
    return photos.findLast(({ frame, rotation }) => holds(frame, rotation, point));
  }

  #begin(begun: Begun): void {
    const state = this.#state;
    if (state.kind === "pressed") clearTimeout(state.held);
    this.#state = { kind: "idle" };
    const editor = this.#editor;
    const { target } = begun;
    const mode = editor.mode.peek();
    if (target.kind === "paper" && mode.kind !== "crop") {
      if (begun.type === "touch") {
        this.#state = { kind: "panning", pointer: begun.pointer, last: begun.from };
        return;
      }
      const spot = editor.view.spot(begun.from);
      const before = begun.keys.shift ? editor.selection.peek() : [];
      if (spot) this.#state = { kind: "marking", from: spot, before };
      this.#step();
      return;
    }
    if (!editor.canEdit.peek()) return;
    if (target.kind === "element" && mode.kind !== "crop" && !editor.selection.peek().includes(target.id)) {
      if (begun.keys.shift) this.#toggle(target.id);
      else editor.select([target.id]);
    }
    if (target.kind === "swap") {
      const [element] = editor.selected.peek();
      const value = element?.value.peek();
      if (!element || value?.kind !== "photo") return;
      editor.carry({ photo: value.photo, from: element.id });
      this.#state = { kind: "swapping", begun, id: element.id };
      return;
    }
    const work = this.#work(begun, mode.kind === "crop" ? mode.id : undefined);
    if (!work) return;
    if (mode.kind === "crop" && target.kind !== "handle") this.#state = { kind: "cropping", work };
    else if (target.kind === "handle") this.#state = { kind: "resizing", work, pull: target.pull };
    else if (target.kind === "turn") this.#state = { kind: "turning", work };
    else this.#state = { kind: "moving", work };
    editor.isMoving.value = true;
    this.#step();
  }

  #work(begun: Begun, only?: string): Work | undefined {
    const editor = this.#editor;
    const items = only === undefined ? actions.movable(editor) : [editor.book.element(only)].filter((it) => it !== undefined);
    const [first] = items;
    const page = first && editor.book.pageOf(first.id);
    if (!page) return undefined;
    const moved = new Set(items.map(({ id }) => id));
    const others = page.elements.peek().filter(({ id }) => !moved.has(id)).map(({ frame, rotation }) => boundsOf(frame, rotation));
    const before = items.map(actions.beforeOf);
    const from = editor.view.spot(begun.from, page) ?? { x: 0, y: 0 };
    return { begun, page, from, before, candidates: candidatesOf(editor.book.document.trim, editor.props.pageMargin, others) };
  }

  /** Brings what is seen to where the hand is. */
  #step(): void {
    const state = this.#state;
    const editor = this.#editor;
    const scale = editor.view.scale.peek();
    const reach = REACH / scale;
    if (state.kind === "marking") {
      this.#marked(state);
      this.#goAlong();
      return;
    }
    const work = this.#workOf(state);
    const [first] = work?.before ?? [];
    if (!work || !first) return;
    const at = editor.view.spot(this.#at, work.page) ?? work.from;
    const by = { x: at.x - work.from.x, y: at.y - work.from.y };
    if (state.kind === "moving") {
      state.outcome = move(work.before, by, this.#keys, work.candidates, reach);
      this.#leave(this.#keys.alt ? work : undefined);
      this.#goAlong();
    } else if (state.kind === "resizing") {
      const how = [state.pull, by, this.#keys, work.candidates, reach] as const;
      state.outcome = work.before.length === 1 ? resize(first, ...how) : resizeAll(work.before, ...how);
      this.#goAlong();
    }
    if (state.kind === "turning") state.outcome = this.#turned(work);
    else if (state.kind === "cropping") {
      const placement = panCrop(first, by);
      if (placement) this.#show(work, new Map([[first.id, placement]]), []);
      return;
    }
    if ("outcome" in state && state.outcome) this.#show(work, state.outcome.placed, state.outcome.guides);
  }

  #show(work: Work, placed: Map<string, Placement>, lines: Outcome["guides"]): void {
    for (const [id, placement] of placed) {
      const element = this.#editor.book.element(id);
      if (element) element.live.value = placement;
    }
    const before = this.#editor.guides.peek();
    if (lines.length > 0 || before) this.#editor.guides.value = lines.length > 0 ? { page: work.page, lines } : undefined;
  }

  #turned(work: Work): Outcome {
    const spot = this.#editor.view.spot(this.#at, work.page) ?? { x: 0, y: 0 };
    const whole = boxOf(work.before);
    const [first] = work.before;
    const about = work.before.length === 1 && first ? first.frame : whole;
    const own = first && work.before.length === 1 ? first.rotation : 0;
    const to = steered(own + angleTo(about, spot) - angleTo(about, work.from), { steps: this.#keys.shift, draws: work.begun.type === "touch" });
    const by = to - own;
    const placed = new Map(work.before.map(({ id, frame, rotation }) => [id, { frame: turnedAbout(centreOf(about), frame, by), rotation: rotation + by }]));
    return { placed, guides: [] };
  }

  #marked({ from, before }: Extract<State, { kind: "marking" }>): void {
    const { view } = this.#editor;
    const { page } = from;
    const at = view.spot(this.#at, page) ?? from;
    const scale = view.scale.peek();
    const area = { x: Math.min(from.x, at.x), y: Math.min(from.y, at.y), width: Math.abs(at.x - from.x), height: Math.abs(at.y - from.y) };
    this.#mark({
      x: this.#at.x + (area.x - at.x) * scale,
      y: this.#at.y + (area.y - at.y) * scale,
      width: area.width * scale,
      height: area.height * scale,
    });
    const hit = page.elements.peek().filter(({ frame, rotation }) => touches(area, boundsOf(frame, rotation)));
    this.#editor.select([...new Set([...before, ...hit.map(({ id }) => id)])], { quietly: true });
  }

  /** While Alt is held, the things are still seen where they stood: what the hand has are copies. */
  #leave(work: Work | undefined): void {
    const { left, book } = this.#editor;
    if ((left.peek().length > 0) === (work !== undefined)) return;
    left.value = (work?.before ?? []).flatMap(({ id }) => {
      const element = book.element(id);
      return element ? [new ElementModel(element.value.peek(), element.drawn.peek())] : [];
    });
  }

  /** Near an edge the stage goes along after a moment; what was begun goes with it. */
  #goAlong(): void {
    if (this.#isAtEdge || !this.#push()) return;
    this.#isAtEdge = true;
    const since = performance.now();
    let last = since;
    const go = () => {
      const push = this.#push();
      this.#isAtEdge = push !== undefined;
      if (!push) return;
      const now = performance.now();
      // a frame that was long in coming is no leap
      const by = now - since >= EDGE_MS ? Math.min(now - last, 50) * EDGE_SPEED : 0;
      last = now;
      if (by > 0) {
        this.#editor.view.panBy(push.x * by, push.y * by);
        this.#step();
      }
      requestAnimationFrame(go);
    };
    requestAnimationFrame(go);
  }

  /** Which way the stage would go: the hand that moves, pulls or marks is near an edge. */
  #push(): Point | undefined {
    if (!["moving", "resizing", "marking"].includes(this.#state.kind)) return undefined;
    const { width, height } = this.#editor.view.stage.peek();
    const push = (at: number, length: number) => (at < EDGE_PX ? 1 : at > length - EDGE_PX ? -1 : 0);
    const [x, y] = [push(this.#at.x, width), push(this.#at.y, height)];
    return x === 0 && y === 0 ? undefined : { x, y };
  }

  #end(state: State): void {
    const editor = this.#editor;
    const work = this.#workOf(state);
    if (state.kind === "swapping") {
      this.#rest(undefined);
      this.drop(this.#at);
      return;
    }
    if (state.kind === "marking") {
      this.#rest(undefined);
      editor.say(`已选中 ${editor.selection.peek().length} 件`);
      return;
    }
    if (state.kind === "cropping" || state.kind === "pinch-cropping") {
      const element = editor.book.element(work?.before[0]?.id);
      const crop = element?.live.peek()?.crop;
      this.#rest(work);
      if (element && crop) actions.setCrop(editor, element, crop);
      return;
    }
    const outcome = "outcome" in state ? state.outcome : undefined;
    if (!work || !outcome) {
      this.#rest(work);
      return;
    }
    const { placed } = outcome;
    const copies = state.kind === "moving" && this.#keys.alt;
    const changes = copies ? this.#copies(work, placed) : state.kind === "moving" ? this.#moves(work, placed) : actions.placing(editor, placed);
    this.#rest(work);
    const word = { moving: copies ? "复制" : "移动", resizing: "改大小", turning: "旋转" }[state.kind as "moving"];
    if (editor.commit(word, changes)) {
      if (copies) editor.select(changes.flatMap((change) => (change.op === "add" ? change.element.id : [])), { quietly: true });
      if (changes.length > 0) editor.say(`已${word}`);
    }
  }

  /** Alt: the things stay, and others like them stand where the hand is. */
  #copies(work: Work, placed: Map<string, Placement>): Change[] {
    const { page, dx } = this.#landing(work, placed);
    return [...placed].flatMap(([id, { frame }]) => {
      const element = this.#editor.book.element(id)?.value.peek();
      return element ? [{ op: "add" as const, page: page.id, element: { ...element, id: actions.newId(), frame: roundRect(shifted(frame, dx, 0)) } }] : [];
    });
  }

  /** What is let go over the page beside it belongs to that page from then on. */
  #moves(work: Work, placed: Map<string, Placement>): Change[] {
    const { page, dx } = this.#landing(work, placed);
    if (page === work.page) return actions.placing(this.#editor, placed);
    return [...placed].flatMap(([id, { frame }]): Change[] => {
      const element = this.#editor.book.element(id)?.value.peek();
      if (!element) return [];
      return [
        { op: "remove", page: work.page.id, element: id },
        { op: "add", page: page.id, element: { ...element, frame: roundRect(shifted(frame, dx, 0)) } },
      ];
    });
  }

  /** The page on which things are let go, and how far its corner is from that of their own. */
  #landing({ page }: Work, placed: Map<string, Placement>): { page: PageModel; dx: number } {
    const open = this.#editor.view.open.peek();
    const own = open.find((candidate) => candidate.page === page);
    const whole = unionOf([...placed.values()].map(({ frame, rotation }) => boundsOf(frame, rotation)));
    const middle = centreOf(whole).x + (own?.x ?? 0);
    const { width } = this.#editor.book.document.trim;
    const other = open.find(({ x }) => middle > x && middle < x + width);
    return own && other ? { page: other.page, dx: own.x - other.x } : { page, dx: 0 };
  }

  /** Two fingers: in a crop they have the photo, else the stage. */
  #pinch(begun: Begun): void {
    const [one, other] = [...this.#fingers.values()];
    if (!one || !other) return;
    const { view, canEdit } = this.#editor;
    const mode = this.#editor.mode.peek();
    const [apart, middle] = [distance(one, other), between(one, other)];
    const work = mode.kind === "crop" && canEdit.peek() ? this.#work(begun, mode.id) : undefined;
    if (work) this.#state = { kind: "pinch-cropping", work, distance: apart, middle };
    else this.#state = { kind: "pinching", distance: apart, middle, zoom: view.zoom.peek(), pan: view.pan.peek() };
  }

  #pinched(state: Extract<State, { kind: "pinching" | "pinch-cropping" }>): void {
    const [one, other] = [...this.#fingers.values()];
    if (!one || !other) return;
    const [factor, middle] = [distance(one, other) / state.distance, between(one, other)];
    const by = { x: middle.x - state.middle.x, y: middle.y - state.middle.y };
    const { view } = this.#editor;
    if (state.kind === "pinching") {
      view.show(state.zoom, state.pan);
      view.zoomBy(factor, state.middle);
      view.panBy(by.x, by.y);
      return;
    }
    const { work } = state;
    const [first] = work.before;
    const about = view.spot(state.middle, work.page);
    const scale = view.scale.peek();
    const placement = first && about && pinchCrop(first, factor, about, { x: by.x / scale, y: by.y / scale });
    if (placement) this.#show(work, new Map([[first.id, placement]]), []);
  }

  /** The wheel in a crop: it enlarges the photo about the pointer. */
  wheel(factor: number, at: Point): void {
    const mode = this.#editor.mode.peek();
    const element = mode.kind === "crop" ? this.#editor.book.element(mode.id) : undefined;
    const about = element && this.#editor.view.spot(at, this.#editor.book.pageOf(element.id));
    const crop = about && pinchCrop(actions.beforeOf(element), factor, about, { x: 0, y: 0 })?.crop;
    if (crop && !this.isBusy) actions.setCrop(this.#editor, element, crop);
  }
}

const distance = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y);
const between = (one: Point, other: Point): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
