// What an upload says of itself while it runs.

/** `18.4 MB`; below one megabyte `320 KB`. */
export function bytes(count: number): string {
  return count < 1e6 ? `${Math.ceil(count / 1e3)} KB` : `${(count / 1e6).toFixed(1)} MB`;
}
