// The page that somebody has come to in a volume, on this device. Storage may be refused: then the page remembers.
import { read, write } from "../runtime/storage.js";

/** A page, from 1, and when it was read, epoch ms; 0 where that was not noted. */
export interface Place {
  page: number;
  at: number;
}

const name = (id: string) => `read:${id}`;
const isPage = (page: unknown): page is number => typeof page === "number" && Number.isInteger(page) && page > 0;

/** Where somebody has come to; nothing where that was not kept. */
export function keptPlace(id: string): Place | undefined {
  const kept = read(name(id));
  if (isPage(kept)) return { page: kept, at: 0 };
  const { page, at } = (kept ?? {}) as Partial<Place>;
  return isPage(page) && typeof at === "number" ? { page, at } : undefined;
}

export function keepPage(id: string, page: number): void {
  write(name(id), { page, at: Date.now() });
}

/** Of two devices the one that was read on later, and the other one where it is elsewhere. */
export function later(here: Place, there: Place): [Place, Place | undefined] {
  const [now, before] = here.at > there.at ? [here, there] : [there, here];
  return [now, before.page === now.page ? undefined : before];
}
