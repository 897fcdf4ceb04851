// A weak line, as a phone has it far from its mast: a proxy as slow as 3G (400 ms, 400 kbit/s) through which a browser's context or a
// test sends, and that can be cut in the middle of a request.
import { type IncomingMessage, type Server, type ServerResponse, createServer, request } from "node:http";
import { type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";
import { Transform } from "node:stream";

/** Bytes in a millisecond, and ms that a request takes on its way there and back. */
const RATE = 50;
const ROUND_TRIP = 400;
/** Bytes that go at once. */
const PART = 4096;

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

export interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
}

export class WeakLine {
  /** How often it was cut. */
  cuts = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #free = 0;
  /** Bytes of bodies that still go up before each of the next cuts. */
  #cutAfter: number[] = [];

  private constructor(server: Server) {
    this.#server = server;
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    server.on("request", (asked, answer) => void this.#pass(asked, answer));
  }

  static async open(): Promise<WeakLine> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new WeakLine(server);
  }

  /** For `newContext({ proxy })`. */
  get proxy(): { server: string } {
    return { server: `http://127.0.0.1:${this.#port}` };
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Cuts the line each time when so many bytes have gone up since the last time. */
  cutAfter(...bytes: number[]): void {
    this.#cutAfter = bytes;
  }

  /** A test's own request through it. */
  async ask(method: string, url: URL, headers: Record<string, string>, body?: Buffer): Promise<Answer> {
    const sent = request({ host: "127.0.0.1", port: this.#port, path: url.href, method, agent: false, headers: { host: url.host, ...headers } });
    sent.end(body);
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    const parts: Buffer[] = [];
    for await (const part of answer) parts.push(part as Buffer);
    return { status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(parts).toString() };
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #cut(): void {
    this.cuts += 1;
    for (const socket of this.#sockets) socket.destroy();
  }

  async #pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    await pause(ROUND_TRIP);
    if (answer.destroyed) return;
    const headers = { ...asked.headers };
    delete headers["proxy-connection"];
    const on = request(asked.url ?? "", { method: asked.method, headers });
    // who sent it is gone: the server's line ends, too
    answer.on("close", () => on.destroy());
    on.on("error", () => answer.destroy());
    on.on("response", (come) => {
      answer.writeHead(come.statusCode ?? 502, come.headers);
      come.pipe(this.#slow(() => !answer.destroyed)).pipe(answer);
    });
    asked.pipe(this.#slow(() => !answer.destroyed, () => this.#count())).pipe(on);
  }

  #count(): void {
    const [left] = this.#cutAfter;
    if (left === undefined) return;
    this.#cutAfter[0] = left - PART;
    if (left > PART) return;
    this.#cutAfter.shift();
    this.#cut();
  }

  /** All that passes shares the line; of a request that was cut nothing passes any more. */
  #slow(isThere: () => boolean, passed?: () => void): Transform {
    const wait = async (bytes: number) => {
      this.#free = Math.max(this.#free, Date.now()) + bytes / RATE;
      await pause(this.#free - Date.now());
    };
    return new Transform({
      async transform(chunk: Buffer, _, done) {
        for (let at = 0; at < chunk.length && isThere(); at += PART) {
          const part = chunk.subarray(at, at + PART);
          await wait(part.length);
          if (!isThere()) break;
          this.push(part);
          passed?.();
        }
        done();
      },
    });
  }
}
