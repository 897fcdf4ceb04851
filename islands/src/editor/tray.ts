// Which photos of the library the tray shows, and in which order.
import type { EditorPhoto } from "../generated/works.js";

/** What the tray can be narrowed to. */
export const FILTERS = [
  ["all", "全部照片"],
  ["unused", "没用过的"],
  ["used", "用过的"],
  ["faces", "有人的"],
  ["fine", "没有毛病的"],
] as const;

/** How it can be put in order. The library itself has the newest first. */
export const ORDERS = [
  ["newest", "新传的在前"],
  ["taken", "按拍摄时间"],
  ["seldom", "少用的在前"],
] as const;

export type Filter = (typeof FILTERS)[number][0];
export type Order = (typeof ORDERS)[number][0];

/** How often each photo stands on the pages of a work. */
export function counted(photos: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const photo of photos) counts.set(photo, (counts.get(photo) ?? 0) + 1);
  return counts;
}

/** What is shown of photos that stand on pages so often; those without a time come last. */
export function chosen(photos: readonly EditorPhoto[], filter: Filter, order: Order, counts: ReadonlyMap<string, number>): EditorPhoto[] {
  const count = ({ id }: EditorPhoto) => counts.get(id) ?? 0;
  const passes: Record<Filter, (photo: EditorPhoto) => boolean> = {
    all: () => true,
    unused: (photo) => count(photo) === 0,
    used: (photo) => count(photo) > 0,
    faces: ({ hasFaces }) => hasFaces,
    fine: ({ flaw }) => flaw === "",
  };
  const found = photos.filter(passes[filter]);
  // sorting keeps what is equal as it was
  if (order === "taken") found.sort((one, other) => (one.takenAt ?? Infinity) - (other.takenAt ?? Infinity) || 0);
  if (order === "seldom") found.sort((one, other) => count(one) - count(other));
  return found;
}

/** A photo as it is heard: its name, how often it is used, what is weak of it. */
export function trayName({ name, flaw }: EditorPhoto, count: number): string {
  return [name, count === 1 ? "已用" : count > 1 ? `已用 ${count} 次` : "", flaw].filter(Boolean).join("，");
}
