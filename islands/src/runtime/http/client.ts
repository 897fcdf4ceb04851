// Requests to the calls of this site: joined while one runs, tried again where that is safe, failed in one way.
import { type HttpError, refused, unanswered } from "./error.js";
import { pause, pauseAfter, retryAfter } from "./retry.js";

export type Fields = Record<string, string> | URLSearchParams;

export interface Options {
  /** Leaves the request; it ends when nobody waits for it any more. */
  signal?: AbortSignal;
  /** Sending it twice does no more than sending it once, so it may be tried again. A GET always is. */
  idempotent?: boolean;
  accept?: string;
}

export interface Answer {
  body: string;
  /** Where redirects ended. */
  url: string;
}

export interface Settings {
  /** The login token, sent as Authorization on every call except the one that asks for it. */
  token?: () => string | undefined;
  /** Signs each request's parameters with this key. */
  signKey?: string;
  /** How often a failed request is sent again. */
  retries?: number;
  /** Milliseconds before the first repetition; each further one waits twice as long. */
  delay?: number;
  /** Milliseconds that one try may take. */
  timeout?: number;
}

interface Request extends Options {
  method: "GET" | "POST";
  url: string;
  params: URLSearchParams;
  data: URLSearchParams;
}

interface Flight {
  answer: Promise<Answer>;
  waiting: number;
  end: (reason: unknown) => void;
}

const LOGIN = "/user-center/login";

export class Http {
  readonly #settings: Settings;
  readonly #flights = new Map<string, Flight>();

  constructor(settings: Settings = {}) {
    this.#settings = settings;
  }

  /** A repetition joins the running one. */
  get(url: string, params: Fields = {}, options: Options = {}): Promise<Answer> {
    return this.#send({ method: "GET", url, params: new URLSearchParams(params), data: new URLSearchParams(), ...options });
  }

  /** Form-encoded. A repetition joins the running one, too: pressing twice sends once. */
  post(url: string, data: Fields = {}, options: Options = {}): Promise<Answer> {
    return this.#send({ method: "POST", url, params: new URLSearchParams(), data: new URLSearchParams(data), ...options });
  }

  async #send(request: Request): Promise<Answer> {
    const { signal } = request;
    signal?.throwIfAborted();
    const key = keyOf(request);
    const flight = this.#flights.get(key) ?? this.#start(key, request);
    flight.waiting += 1;
    if (!signal) return flight.answer;
    return new Promise((resolve, reject) => {
      const leave = () => {
        flight.waiting -= 1;
        if (flight.waiting === 0) flight.end(signal.reason);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", leave);
      void flight.answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
    });
  }

  #start(key: string, request: Request): Flight {
    const controller = new AbortController();
    const landed = () => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    };
    const flight: Flight = {
      answer: this.#persist(request, controller.signal).finally(landed),
      waiting: 0,
      end: (reason) => {
        landed();
        controller.abort(reason);
      },
    };
    this.#flights.set(key, flight);
    return flight;
  }

  async #persist(request: Request, signal: AbortSignal): Promise<Answer> {
    const { retries = 3, delay = 300, signKey } = this.#settings;
    const signed = signKey ? await sign(request, signKey) : request;
    const repeatable = request.method === "GET" || request.idempotent;
    for (let tried = 0; ; tried += 1) {
      try {
        return await this.#try(signed, signal);
      } catch (error) {
        signal.throwIfAborted();
        const wait = repeatable && tried < retries ? pauseAfter(error as HttpError, tried, delay) : undefined;
        if (wait === undefined) throw error;
        await pause(wait, signal);
      }
    }
  }

  async #try({ method, url, params, data, accept }: Request, signal: AbortSignal): Promise<Answer> {
    const controller = new AbortController();
    const stop = () => controller.abort();
    signal.addEventListener("abort", stop);
    const timer = setTimeout(stop, this.#settings.timeout ?? 20_000);
    const token = method === "POST" && url === LOGIN ? undefined : this.#settings.token?.();
    const headers = { ...(accept && { Accept: accept }), ...(token && { Authorization: token }) };
    const query = params.toString();
    let response: Response;
    let body: string;
    try {
      response = await fetch(query ? `${url}?${query}` : url, {
        method,
        headers,
        body: method === "POST" ? data : null,
        credentials: "same-origin",
        signal: controller.signal,
      });
      body = await response.text();
    } catch (error) {
      throw unanswered(error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
    if (response.ok) return { body, url: response.url };
    throw refused(response.headers.get("content-type") ?? "", {
      status: response.status,
      body,
      retryAfter: retryAfter(response.headers.get("retry-after"), Date.now()),
    });
  }
}

/** What makes two requests the same: method, address, parameters and data, whatever their order. */
export function keyOf({ method, url, params, data }: Pick<Request, "method" | "url" | "params" | "data">): string {
  return JSON.stringify([method, url, ...[params, data].map((fields) => [...fields].map(String).sort())]);
}

async function sign(request: Request, key: string): Promise<Request> {
  const { sign } = await import("./sign.js");
  const place = request.method === "GET" ? "params" : "data";
  const fields = new URLSearchParams(request[place]);
  fields.set("sign", sign([...request.params, ...request.data], key));
  return { ...request, [place]: fields };
}
