/** Everything from one of a list to another, both included, whichever comes first. */
export function range<T>(all: T[], from: T, to: T): T[] {
  const [one, other] = [all.indexOf(from), all.indexOf(to)];
  return one < 0 || other < 0 ? [] : all.slice(Math.min(one, other), Math.max(one, other) + 1);
}
