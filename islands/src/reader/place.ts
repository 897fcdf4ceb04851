// The page that somebody has come to in a work, on this device. Storage may be refused: then the page remembers.
import { read, write } from "../runtime/storage.js";

const name = (work: string) => `read:${work}`;

/** The page, from 1; nothing where none was kept. */
export function keptPage(work: string): number | undefined {
  const page = read(name(work));
  return typeof page === "number" && Number.isInteger(page) && page > 0 ? page : undefined;
}

export function keepPage(work: string, page: number): void {
  write(name(work), page);
}
