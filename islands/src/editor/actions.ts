// What can be done with what is selected, by keys, buttons and menus: each is one step.
import { leaveOverview } from "./alone.js";
import { type Element, keepsShape, type Ornament, ornamentOf, type PhotoElement, type Rect, type ShapeElement, type ShapeKind, type Size } from "./document.js";
import type { ElementModel, PageModel } from "./Book.js";
import { type Alignment, aligned, distributed, freePlace, sameSize } from "./arrange.js";
import { fill, panned, roundCrop, zoomed } from "./crop.js";
import type { Change } from "./edit.js";
import { type Placement, type Point, boundsOf, centreOf, hundredth, roundRect, shifted, tidyAngle } from "./geometry.js";
import { type Before, boxOf, scaledAll } from "./gestures.js";
import type { Editor } from "./Model.js";
import { kindOf, nameOfPage } from "./names.js";
import { alignOf } from "./typography.js";
import { uuid } from "../runtime/uuid.js";

/** A name for something new, unlike any other. */
export const newId = () => `e-${uuid()}`;

export function set(editor: Editor, element: ElementModel, name: string, value: unknown): Change[] {
  const page = editor.book.pageOf(element.id);
  return page ? [{ op: "set", page: page.id, element: element.id, name, value: value ?? null }] : [];
}

/** Gives a property of everything selected a value, where it has that property. */
export function setAll(editor: Editor, name: string, value: unknown, word: string, merge?: string): void {
  const changes = editor.selected.peek().flatMap((element) => set(editor, element, name, value));
  editor.commit(word, changes, merge);
}

/** The changes that bring things where a gesture has them. */
export function placing(editor: Editor, placed: Map<string, Placement>): Change[] {
  const changes: Change[] = [];
  for (const [id, { frame, rotation, crop }] of placed) {
    const element = editor.book.element(id);
    if (!element) continue;
    const now = element.value.peek();
    const to = roundRect(frame);
    if (!same(to, now.frame)) changes.push(...set(editor, element, "frame", to));
    if (tidyAngle(rotation) !== tidyAngle(element.rotation)) changes.push(...set(editor, element, "rotation", tidyAngle(rotation)));
    if (crop && now.kind === "photo" && !same(roundCrop(crop), now.crop)) changes.push(...set(editor, element, "crop", roundCrop(crop)));
  }
  return changes;
}

const same = (one: Rect, other: Rect) => one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;

/** What may be moved: everything selected but what is locked. */
export function movable(editor: Editor): ElementModel[] {
  const selected = editor.selected.peek();
  const free = selected.filter((element) => !element.isLocked);
  if (free.length === 0 && selected.length > 0) editor.say("已锁定，先解锁才能移动");
  return free;
}

/** What something is when a gesture begins. */
export const beforeOf = (item: ElementModel): Before => ({
  id: item.id,
  frame: item.frame,
  rotation: item.rotation,
  crop: item.crop.peek(),
  kind: item.value.peek().kind,
  isRigid: keepsShape(item.value.peek()),
});

/** Puts the box around what is selected elsewhere, or makes it larger or smaller in its shape. */
export function placeAll(editor: Editor, { width, height, ...corner }: Partial<Rect>): void {
  const items = movable(editor).map(beforeOf);
  if (items.length === 0) return;
  const box = boxOf(items);
  const by = Math.max(width === undefined ? (height ?? box.height) / box.height : width / box.width, 1 / Math.min(...items.map(({ frame }) => Math.min(frame.width, frame.height))));
  const after = { ...box, width: box.width * by, height: box.height * by, ...corner };
  editor.commit(by === 1 ? "移动" : "改大小", placing(editor, scaledAll(items, box, after)), `fields ${items.map(({ id }) => id).join(" ")}`);
}

/** `isHeld`: the key is down since the last time. */
export function nudge(editor: Editor, dx: number, dy: number, isHeld = false): void {
  const items = movable(editor);
  if (items.length === 0) return;
  const placed = new Map(items.map(({ id, frame, rotation }) => [id, { frame: shifted(frame, dx, dy), rotation }]));
  // held down it is one step, also where the system waits long before it repeats the key
  editor.commit("移动", placing(editor, placed), `nudge ${items.map(({ id }) => id).join(" ")}`, isHeld);
  const [first] = items;
  if (first) editor.say(`左 ${hundredth(first.frame.x)} 毫米，上 ${hundredth(first.frame.y)} 毫米`);
}

export function remove(editor: Editor): void {
  const items = movable(editor);
  const changes: Change[] = items.flatMap(({ id }) => {
    const page = editor.book.pageOf(id);
    return page ? [{ op: "remove" as const, page: page.id, element: id }] : [];
  });
  const [first] = items;
  const page = first && editor.book.pageOf(first.id);
  if (!first || !page) return;
  const name = items.length === 1 ? kindOf(editor, first.value.peek()) : ` ${items.length} 件`;
  const order = page.reading.peek();
  const gone = new Set(items.map(({ id }) => id));
  // whoever works with keys goes on with what is read next
  const place = order.indexOf(first.id);
  const next = order.slice(place).find((id) => !gone.has(id)) ?? order.slice(0, place).findLast((id) => !gone.has(id));
  if (!editor.commit("删除", changes)) return;
  editor.focus(next ?? page.id);
  editor.offerUndo(`已删除${name}`);
}

/** Things put on a page as new ones, over all others; they are selected then. */
export function add(editor: Editor, page: PageModel, elements: Element[], word: string): string[] {
  const made = elements.map((element) => ({ ...element, id: newId() }));
  const changes: Change[] = made.map((element) => ({ op: "add", page: page.id, element }));
  if (!editor.commit(word, changes)) return [];
  const ids = made.map(({ id }) => id);
  editor.select(ids, { quietly: true });
  editor.say(`${word}：${made.length === 1 && made[0] ? kindOf(editor, made[0]) : `${made.length} 件`}`);
  return ids;
}

/** How far a duplicate stands beside its model, in mm. */
const ASIDE = 5;

export function duplicate(editor: Editor): void {
  const page = editor.page;
  const items = editor.selected.peek().map(({ value }) => value.peek());
  if (page && items.length > 0) add(editor, page, items.map((item) => ({ ...item, frame: shifted(item.frame, ASIDE, ASIDE) })), "复制");
}

/** Everything on the page. */
export function selectAll(editor: Editor): void {
  const page = editor.page;
  if (page) editor.select(page.reading.peek());
}

export function order(editor: Editor, to: "front" | "back" | "up" | "down"): void {
  const [element] = editor.selected.peek();
  const page = element && editor.book.pageOf(element.id);
  if (!element || !page) return;
  const all = page.elements.peek();
  const place = all.indexOf(element);
  const target = { front: all.length - 1, back: 0, up: Math.min(place + 1, all.length - 1), down: Math.max(place - 1, 0) }[to];
  if (target === place) editor.say(target === 0 ? "已在最下层" : "已在最上层");
  else if (editor.commit("层次", [{ op: "order", page: page.id, element: element.id, to: target }])) editor.say(`第 ${target + 1} 层，共 ${all.length} 层`);
}

export function toggleLock(editor: Editor): void {
  const locks = editor.selected.peek().some((element) => !element.isLocked);
  setAll(editor, "locked", locks ? true : null, locks ? "锁定" : "解锁");
  editor.say(locks ? "已锁定" : "已解锁");
}

const placedOf = (items: ElementModel[]) => items.map(({ id, frame, rotation }) => ({ id, frame, rotation }));

function commitFrames(editor: Editor, word: string, frames: Map<string, Rect>): void {
  const placed = new Map([...frames].map(([id, frame]) => [id, { frame, rotation: editor.book.element(id)?.rotation ?? 0 }]));
  if (editor.commit(word, placing(editor, placed))) editor.say(word);
}

export const align = (editor: Editor, how: Alignment) => commitFrames(editor, "对齐", aligned(placedOf(movable(editor)), how));
export const distribute = (editor: Editor, axis: "x" | "y") => commitFrames(editor, "等距", distributed(placedOf(movable(editor)), axis));

export function makeSameSize(editor: Editor): void {
  const frames = sameSize(placedOf(movable(editor)));
  const changes: Change[] = [];
  for (const [id, frame] of frames) {
    const element = editor.book.element(id);
    if (!element) continue;
    changes.push(...set(editor, element, "frame", roundRect(frame)), ...refitted(editor, element, frame));
  }
  if (editor.commit("同样大小", changes)) editor.say("已一样大");
}

/** A photo's crop for another frame: its largest part where the shape is another. */
function refitted(editor: Editor, element: ElementModel, frame: Size): Change[] {
  const value = element.value.peek();
  const photo = value.kind === "photo" ? editor.library.known.peek().get(value.photo) : undefined;
  if (!photo || frame.width / frame.height === value.frame.width / value.frame.height) return [];
  return set(editor, element, "crop", roundCrop(fill(photo, frame)));
}

/** Puts another photo into a frame, which shows its middle where no part is named. */
export function replacePhoto(editor: Editor, element: ElementModel, photo: string, part?: Rect): void {
  const known = editor.library.known.peek().get(photo);
  const value = element.value.peek();
  if (!known || value.kind !== "photo") return;
  const crop = roundCrop(part ?? fill(known, value.frame));
  if (editor.commit("换照片", [...set(editor, element, "photo", photo), ...set(editor, element, "crop", crop)])) {
    editor.select([element.id], { quietly: true });
    editor.say(`已换成${known.name}`);
  }
}

/** Two frames change their photos. */
export function swapPhotos(editor: Editor, one: ElementModel, other: ElementModel): void {
  const [a, b] = [one.value.peek(), other.value.peek()];
  if (a.kind !== "photo" || b.kind !== "photo" || one === other) return;
  const photos = editor.library.known.peek();
  const into = (target: PhotoElement, element: ElementModel, photo: string): Change[] => {
    const known = photos.get(photo);
    return known ? [...set(editor, element, "photo", photo), ...set(editor, element, "crop", roundCrop(fill(known, target.frame)))] : [];
  };
  const changes = [...into(a, one, b.photo), ...into(b, other, a.photo)];
  if (editor.commit("交换照片", changes)) editor.say("两张照片已交换");
}

/** The part of a page's width that a new frame takes. */
const SHARE = 0.4;

/** A new frame for a photo, its middle at a place of a page. */
export function addPhoto(editor: Editor, page: PageModel, photo: string, at?: Point): void {
  const known = editor.library.known.peek().get(photo);
  if (!known) return;
  const { trim } = editor.book.document;
  const scale = Math.min((trim.width * SHARE) / known.width, (trim.height * SHARE) / known.height);
  const frame = around(at ?? { x: trim.width / 2, y: trim.height / 2 }, { width: known.width * scale, height: known.height * scale });
  const crop = { x: 0, y: 0, width: 1, height: 1 };
  add(editor, page, [{ kind: "photo", id: "", photo, frame, crop }], "放照片");
}

const around = ({ x, y }: Point, { width, height }: Size): Rect => roundRect({ x: x - width / 2, y: y - height / 2, width, height });

export function addText(editor: Editor): void {
  leaveOverview(editor);
  const page = editor.page;
  if (!page) return;
  const { trim } = editor.book.document;
  const others = page.elements.peek().map((element) => boundsOf(element.frame, element.rotation));
  const frame = roundRect(freePlace(trim, { width: trim.width * 0.6, height: 14 }, others, editor.props.pageMargin));
  const [id] = add(editor, page, [{ kind: "text", id: "", role: "caption", text: "", frame }], "加文字");
  if (id) editor.setMode({ kind: "write", id });
}

/** The size of a shape on a page so wide, and how it looks at first. */
function firstLook(shape: ShapeKind, width: number): { size: Size } & Pick<ShapeElement, "fill" | "border"> {
  const ornament = ornamentOf(shape);
  if (shape === "line") return { size: { width: width * 0.4, height: 3 }, border: { width: 0.5, colour: "strong" } };
  if (!ornament) return { size: { width: width * 0.25, height: width * 0.25 }, fill: "accent" };
  const by = Math.min(1, (width * 0.6) / ornament.size[0]);
  return { size: { width: ornament.size[0] * by, height: ornament.size[1] * by }, fill: "accent" };
}

export function addShape(editor: Editor, shape: ShapeKind): void {
  leaveOverview(editor);
  const page = editor.page;
  if (!page) return;
  const { trim } = editor.book.document;
  const { size, ...look } = firstLook(shape, trim.width);
  const ornament = ornamentOf(shape);
  const others = page.elements.peek().map((element) => boundsOf(element.frame, element.rotation));
  // a drawing stands where nothing stands; a ground is meant for what is there
  const frame = ornament ? roundRect(freePlace(trim, size, others, editor.props.pageMargin)) : around({ x: trim.width / 2, y: trim.height / 2 }, size);
  add(editor, page, [{ kind: "shape", id: "", shape, frame, ...look }], ornament ? "加纹样" : "加图形");
}

/** Draws another ornament about the same middle, with lines as wide as those before. */
export function changeOrnament(editor: Editor, element: ElementModel, to: Ornament): void {
  const value = element.value.peek();
  const [from, next] = [value.kind === "shape" && ornamentOf(value.shape), ornamentOf(to)];
  if (!from || !next || from === next) return;
  const { frame } = value;
  const changes = set(editor, element, "shape", to);
  // what runs along edges takes any frame
  if (!next.runsAlongEdges) {
    const { trim } = editor.book.document;
    const drawn = from.runsAlongEdges ? 1 : Math.min(frame.width / from.size[0], frame.height / from.size[1]);
    const by = Math.min(drawn, trim.width / next.size[0], trim.height / next.size[1]);
    const middle = { x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 };
    changes.push(...set(editor, element, "frame", around(middle, { width: next.size[0] * by, height: next.size[1] * by })));
  }
  editor.commit("纹样", changes, `ornament ${element.id}`);
}

/** Enlarges the photo in its frame, or pushes it: the crop of what is selected. */
export function changeCrop(editor: Editor, how: { zoom: number } | { dx: number; dy: number }): void {
  const [element] = editor.selected.peek();
  const value = element?.value.peek();
  if (!element || value?.kind !== "photo") return;
  const crop = "zoom" in how ? zoomed(value.crop, how.zoom) : panned(value.crop, value.frame, how.dx, how.dy);
  setCrop(editor, element, crop);
}

/** Shows another part of a photo. From entering a crop to leaving it that is one step. */
export function setCrop(editor: Editor, element: ElementModel, crop: Rect): void {
  editor.commit("裁切", set(editor, element, "crop", roundCrop(crop)), `crop ${element.id}`, editor.isCropping.peek());
}

export function setPage(editor: Editor, page: PageModel, name: "theme" | "ground" | "background", value: string | null): void {
  const word = name === "theme" ? "风格" : "底色";
  if (editor.commit(word, [{ op: "set", page: page.id, name, value }])) editor.say(`${nameOfPage(page)}的${word}已换`);
}

/** Shows everything that is selected as large as it fits; of a long text, where it begins. */
export function zoomToSelection(editor: Editor): void {
  const selected = editor.selected.peek();
  const page = selected[0] && editor.book.pageOf(selected[0].id);
  if (page) editor.view.fitTo(page, boxOf(selected), sideOf(selected), beginOf(editor, page, selected));
}

/** Where a text begins across its box, from 0 to 1; of anything else, the middle. */
function beginOf(editor: Editor, page: PageModel, [first, another]: ElementModel[]): number {
  const value = first?.value.peek();
  if (another || value?.kind !== "text") return 0.5;
  const align = alignOf(editor, page, value);
  return align === "center" ? 0.5 : align === "right" ? 1 : 0;
}

/** The side of what is selected between whose handles there is the least room, in mm. */
export function sideOf(elements: ElementModel[]): number {
  const [first, another] = elements.map(({ value }) => value.value);
  if (!first || another) {
    const { width, height } = boxOf(elements.map(({ placed }) => placed.value));
    return Math.min(width, height);
  }
  // a line has handles at its ends
  const isLine = first.kind === "shape" && first.shape === "line";
  return isLine ? first.frame.width : Math.min(first.frame.width, first.frame.height);
}

export const middleOf = (element: ElementModel) => centreOf(element.frame);
