// What an upload says of itself while it runs.

/** How many files have gone completely, when `loaded` bytes have: files travel one after the other. */
export function filesDone(sizes: readonly number[], loaded: number): number {
  let sum = 0;
  let done = 0;
  for (const size of sizes) {
    sum += size;
    if (sum > loaded) break;
    done += 1;
  }
  return done;
}

/** `18.4 MB`; below one megabyte `320 KB`. */
export function bytes(count: number): string {
  return count < 1e6 ? `${Math.ceil(count / 1e3)} KB` : `${(count / 1e6).toFixed(1)} MB`;
}

/** The line under the bar. `total` is the whole body, a little more than the files. */
export function report(sizes: readonly number[], loaded: number, total: number): string {
  const done = filesDone(sizes, loaded);
  if (loaded >= total) return `${sizes.length} 张都已送到，正在处理…`;
  return `已上传 ${done} / ${sizes.length} 张，${bytes(loaded)} / ${bytes(total)}`;
}

/** What to do with the answer to an upload. */
export type Next = "show" | "go" | "fail";

/** A page of the same address or a refused form is shown in place; another address is visited. */
export function next(status: number, answered: string, here: string): Next {
  if (status === 0 || status >= 500) return "fail";
  if (status >= 400) return "show";
  const path = (address: string) => new URL(address, here).pathname;
  return path(answered) === path(here) ? "show" : "go";
}
