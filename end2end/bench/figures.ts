// What the measurements share.

/** What stands at a share of some figures, 0.95 being the 95th percentile, to a tenth. */
export function at(figures: number[], share: number): number {
  const sorted = [...figures].sort((one, other) => one - other);
  const found = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return Math.round((found ?? NaN) * 10) / 10;
}

/** For pages: functions that are sent into them name themselves by a helper that only the compiled script has. */
export const HELPER = "globalThis.__name = (it) => it;";
