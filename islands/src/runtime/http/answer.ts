// Reading what the calls answer.
import type { Answer } from "./client.js";
import { FALLBACK, HttpError, reasonIn } from "./error.js";

/** The object of a JSON answer. A `status` other than 1 is a failure (specification section 7). */
export function objectOf({ body }: Answer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (cause) {
    throw new HttpError(FALLBACK.code, FALLBACK.msg, { status: 200, body, cause });
  }
  if ((value as { status?: unknown } | null)?.status === 1) return value;
  const { code, msg } = reasonIn(body);
  throw new HttpError(code ?? FALLBACK.code, msg || FALLBACK.msg, { status: 200, body });
}

/**
 * JSON in JSON: every string in an answer that holds an object becomes that object, once. Only for calls that are known to
 * nest: in others such a string is something a member wrote.
 */
export function unnest(value: unknown): unknown {
  if (typeof value === "string") return objectIn(value) ?? value;
  if (Array.isArray(value)) return value.map(unnest);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, unnest(field)]));
}

function objectIn(text: string): object | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
