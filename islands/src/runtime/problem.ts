// Failures in the member's words.
import { FAILED, HttpError } from "./http/error.js";
import { toast } from "./toasts.js";

export interface Problem {
  text: string;
  /** The session is over. */
  signedOut: boolean;
}

/** Opened beside the page, so that nothing typed there is lost. */
export const SIGN_IN = { href: "/manager/login", text: "去登录" };

/** A failure in words, with the server's reason where it gave one. What is no failed request is a fault of ours. */
export function problemOf(error: unknown, text: string): Problem {
  if (!(error instanceof HttpError)) throw error;
  if (error.status === 401) return { text: "登录已过期，请登录后再试", signedOut: true };
  return { text: error.reason ? `${text}：${error.reason}` : text, signedOut: false };
}

/** Says that a request failed and the page stays as it is. */
export function complain(error: unknown): void {
  const { text, signedOut } = problemOf(error, FAILED);
  toast(text, { bad: true, link: signedOut ? SIGN_IN : undefined });
}
