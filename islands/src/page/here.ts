// Whose page this is. The browser keeps pages, to go back to them at once; it shows one only to whom it was made for.

/** Where it says who was here last: the browser's storage, or nothing where that is switched off. */
export interface Last {
  /** By the prefix of all that the browser keeps (`runtime/storage`). */
  "desk:here"?: string;
}

/** Notes whom a page was made for that has just come; `mark` is missing where it is for everybody. */
export function note(mark: string | undefined, last: Last): void {
  if (mark !== undefined) last["desk:here"] = mark;
}

/** Whether a page that was kept is somebody else's than who is here now. */
export const isAnothers = (mark: string | undefined, { "desk:here": here = mark }: Last): boolean => mark !== undefined && here !== mark;

/** Whether the page that is shown was fetched before it was wanted (Speculation Rules). */
export function isFetchedAhead(): boolean {
  const [visit] = performance.getEntriesByType("navigation") as (PerformanceNavigationTiming & { deliveryType?: string })[];
  return visit?.deliveryType === "navigational-prefetch";
}
