/** A page, from 1, and when it was read, epoch ms. */
export interface Place {
  page: number;
  at: number;
}

/** Places by the ids of works, out of whatever was kept. */
export function places(kept: unknown): Record<string, Place> {
  const all: Record<string, Place> = {};
  for (const [id, place] of Object.entries((kept ?? {}) as Record<string, Partial<Place> | null>)) {
    const { page, at } = place ?? {};
    if (typeof page === "number" && Number.isInteger(page) && typeof at === "number") all[id] = { page, at };
  }
  return all;
}
