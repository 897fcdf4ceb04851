// What a failed request is to the rest of the program.

/** Code and message of a failure that says nothing better (specification section 8). */
export const FALLBACK = { code: 500, msg: "请求失败" } as const;

/** What the member reads when no more specific text is known. */
export const FAILED = "请求失败，请重试";

/** The facts of a failure beside its code and message. */
interface Facts {
  /** The status of the answer; 0 when there was none. */
  status: number;
  /** The answer, as text. */
  body?: string;
  /** Milliseconds that the server asks to wait. */
  retryAfter?: number;
  cause?: unknown;
}

/** A request that was refused, failed or never answered. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  readonly body: string;
  readonly retryAfter: number | undefined;

  /** `msg` is the server's reason, for the member, or the fallback. */
  constructor(
    readonly code: number,
    readonly msg: string,
    { status, body = "", retryAfter, cause }: Facts,
  ) {
    super(`${code} ${msg}`, { cause });
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
  }

  /** The server's own reason; empty where it gave none. */
  get reason(): string {
    return this.msg === FALLBACK.msg ? "" : this.msg;
  }
}

/** No answer: the network, or the time allowed. */
export const unanswered = (cause: unknown) => new HttpError(FALLBACK.code, FALLBACK.msg, { status: 0, cause });

/** A refusal: `{"code","msg"}` where it is JSON, a plain text as it stands; a page says nothing to a program. */
export function refused(type: string, facts: Facts & { body: string }): HttpError {
  const { code, msg } = type.startsWith("text/plain") ? { code: facts.status, msg: facts.body } : reasonIn(facts.body);
  return new HttpError(code ?? facts.status, msg || FALLBACK.msg, facts);
}

/** The reason in a JSON answer: `msg`, or `data.msg`. */
export function reasonIn(body: string): { code?: number; msg: string } {
  try {
    const { code, msg, data } = JSON.parse(body) as { code?: unknown; msg?: unknown; data?: { msg?: unknown } | null };
    const text = msg ?? data?.msg;
    return { code: typeof code === "number" ? code : undefined, msg: typeof text === "string" ? text : "" };
  } catch {
    return { msg: "" };
  }
}
