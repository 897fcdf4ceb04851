// When a failed request is sent again, and after how long.
import type { HttpError } from "./error.js";

/** Longer than this nobody waits in front of a dialog, whatever the server asks. */
const PATIENCE = 5000;

/** Milliseconds until the next try after `tried` failed ones, growing and spread; undefined when it would not help. */
export function pauseAfter({ status, retryAfter }: HttpError, tried: number, delay: number): number | undefined {
  if (retryAfter !== undefined && (status === 503 || status === 429)) return retryAfter > PATIENCE ? undefined : retryAfter;
  const passing = status === 0 || (status >= 502 && status <= 504);
  return passing ? delay * 2 ** tried * (0.5 + Math.random()) : undefined;
}

/** Retry-After in milliseconds: seconds or a date (RFC 9110, section 10.2.3). */
export function retryAfter(header: string | null, now: number): number | undefined {
  if (!header) return undefined;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? undefined : Math.max(wait, 0);
}

/** Waits, or rejects with the signal's reason. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
