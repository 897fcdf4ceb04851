// Whose page this is. The browser keeps pages, to go back to them at once; it shows one only to whom it was made for.

const KEY = "here";

/** What knows of the browser's storage no more than it needs. */
export type Kept = Pick<Storage, "getItem" | "setItem">;

/** Whether a page that was kept is somebody else's than who is here now. `mark` is what the page says, `null` where it is for everybody. */
export function isAnothers(mark: string | null, kept: Kept): boolean {
  if (mark === null) return false;
  const here = kept.getItem(KEY);
  return here !== null && here !== mark;
}

/** Notes who is here: a page has just come that was made for them. */
export function note(mark: string | null, kept: Kept): void {
  if (mark !== null) kept.setItem(KEY, mark);
}
