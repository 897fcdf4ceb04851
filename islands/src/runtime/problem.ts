// Failures in the member's words.
import { FAILED, HttpError } from "./http/error.js";
import { toast } from "./toasts.js";

export interface Problem {
  text: string;
  /** The server's own; empty where it gave none. */
  reason: string;
  /** The session is over. */
  signedOut: boolean;
}

/** Opened beside the page, so that nothing typed there is lost. */
export const SIGN_IN = { href: "/manager/login", text: "去登录" };

/** A failure in words. What is no failed request is a fault of ours. */
export function problemOf(error: unknown, text: string): Problem {
  if (!(error instanceof HttpError)) throw error;
  if (error.status === 401) return { text: "登录已过期，请登录后再试", reason: "", signedOut: true };
  return { text, reason: error.reason, signedOut: false };
}

/** Says that a request failed and the page stays as it is. */
export function complain(error: unknown): void {
  const { text, reason, signedOut } = problemOf(error, FAILED);
  toast(reason ? `${text}：${reason}` : text, { bad: true, link: signedOut ? SIGN_IN : undefined });
}
