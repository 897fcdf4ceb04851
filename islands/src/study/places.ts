/** What kind of thing was read, the page, from 1, and when that was read, epoch ms. */
export interface Place {
  kind: string;
  page: number;
  at: number;
}

/** Places by the ids of what is read, out of whatever was kept. Once only works had any. */
export function places(kept: unknown): Record<string, Place> {
  const all: Record<string, Place> = {};
  for (const [id, place] of Object.entries((kept ?? {}) as Record<string, Partial<Place> | null>)) {
    const { kind = "work", page, at } = place ?? {};
    if (typeof page === "number" && Number.isInteger(page) && typeof at === "number") all[id] = { kind, page, at };
  }
  return all;
}
