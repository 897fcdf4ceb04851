// The changes of the cart on their way: one after the other, so that the last answer knows of every change.

let last: Promise<unknown> = Promise.resolve();
let waiting = 0;
let failures = 0;

/** Runs a change when its turn comes. It says whether the cart now shows it. */
export function enqueue(change: () => Promise<boolean>): void {
  waiting += 1;
  last = last
    .then(change)
    .catch(reportError)
    .then((done) => {
      waiting -= 1;
      if (!done) failures += 1;
    });
}

export const isBusy = () => waiting > 0;

/** Waits until nothing is on its way. Returns whether all of it came through. */
export async function settled(): Promise<boolean> {
  const before = failures;
  while (isBusy()) await last;
  return failures === before;
}
