// What can be chosen beside what. The server decides it in the same way and sends the rules as data: which items fit the
// pages, and which exclude which. No rule has a name here.

/** A step of production as far as the rules need it. */
export interface RuledStep {
  items: readonly { Cnum: string; fits: boolean }[];
}

/** Choosing the first item disables the second. */
export type Exclusion = readonly [string, string];

/** One step of an evaluation. */
export interface Evaluated {
  /** One flag for each item. */
  enable: boolean[];
  /** The chosen item; empty where the step has no items or none is enabled. */
  selCnum: string;
}

/**
 * Settles a wanted choice, one code for each step: an item is enabled when it fits and no chosen item excludes it; a wanted
 * item that is enabled stays, otherwise the first enabled one is chosen.
 */
export function evaluate(
  steps: readonly RuledStep[],
  exclusions: readonly Exclusion[],
  wanted: readonly string[],
  order = settlingOrder(steps, exclusions),
): Evaluated[] {
  const evaluated: Evaluated[] = steps.map(() => ({ enable: [], selCnum: "" }));
  const excluded = new Set<string>();
  for (const place of order) {
    const items = steps[place]?.items ?? [];
    const enable = items.map((item) => item.fits && !excluded.has(item.Cnum));
    const enabled = items.filter((_, index) => enable[index]);
    const selCnum = (enabled.find((item) => item.Cnum === wanted[place]) ?? enabled[0])?.Cnum ?? "";
    for (const [chosen, other] of exclusions) if (chosen === selCnum) excluded.add(other);
    evaluated[place] = { enable, selCnum };
  }
  return evaluated;
}

/**
 * The places of the steps in an order in which each comes after every step whose items can exclude its own, otherwise as in
 * the dialog. Then one pass is enough: nothing changes behind a settled step.
 */
export function settlingOrder(steps: readonly RuledStep[], exclusions: readonly Exclusion[]): number[] {
  const placeOf = new Map(steps.flatMap((step, place) => step.items.map((item) => [item.Cnum, place] as const)));
  const before = steps.map(() => new Set<number>());
  for (const [chosen, other] of exclusions) {
    const from = placeOf.get(chosen);
    const to = placeOf.get(other);
    if (from !== undefined && to !== undefined && from !== to) before[to]?.add(from);
  }
  const waiting = steps.map((_, place) => place);
  const order: number[] = [];
  while (waiting.length > 0) {
    const ready = waiting.findIndex((place) => !waiting.some((other) => before[place]?.has(other)));
    // steps that exclude each other in a ring have no such order: the first of them begins
    order.push(...waiting.splice(Math.max(ready, 0), 1));
  }
  return order;
}
