/** Runs something when nothing else is to do. Safari has no requestIdleCallback. */
export function whenIdle(run: () => void): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(run);
  else setTimeout(run, 200);
}
