const KB = 1024;
const MB = KB * 1024;
const GB = MB * 1024;

/** `18.4 MB`, counted as the server counts; below one megabyte `320 KB`. */
export function bytes(count: number): string {
  if (count < MB) return `${Math.ceil(count / KB)} KB`;
  return count < GB ? `${(count / MB).toFixed(1)} MB` : `${(count / GB).toFixed(1)} GB`;
}
