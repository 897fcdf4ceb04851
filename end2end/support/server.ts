// One `bindery serve --demo` on a data folder of its own, and the command line on the same data.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The demo member, whom `--demo` makes. */
export const DEMO = { account: "demo@example.com", password: "bindery-demo" };

/** How long painting and printing the demo content may take on a slow machine, in ms. */
const START_MS = 240_000;

/** The program: BINDERY_BIN, or what `cargo build` leaves behind. */
function binary(): string {
  const target = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL("../../target", import.meta.url));
  return process.env.BINDERY_BIN ?? join(target, "debug", "bindery");
}

/** Data folders of shops where no way to pay is configured. */
const unpaid = new Set<string>();
/** The ports of those that browsers know by a name, as passkeys need it. */
const named = new Map<string, number>();

function environment(data: string): NodeJS.ProcessEnv {
  // looking for faces takes longer than the rest of what is done with a photo
  const { BINDERY_DATABASE_URL: _database, BINDERY_STORAGE_URL: _storage, ...rest }: NodeJS.ProcessEnv = { ...process.env, BINDERY_FACES: "0" };
  if (unpaid.has(data)) {
    const isWay = (name: string) => /^BINDERY_(WECHATPAY|ALIPAY|BANK|PUBLIC_URL)/.test(name) || name === "END2END_ADDRESS";
    for (const name of Object.keys(rest).filter(isWay)) Reflect.deleteProperty(rest, name);
    const port = named.get(data);
    const name = port ? { BINDERY_PUBLIC_URL: `http://localhost:${port}` } : {};
    return { ...rest, ...name, BINDERY_DATA: data, BINDERY_LOG: "bindery=warn", LEPTOS_SITE_ADDR: `127.0.0.1:${port ?? 0}` };
  }
  return { ...rest, BINDERY_DATA: data, BINDERY_LOG: "bindery=warn", LEPTOS_SITE_ADDR: process.env.END2END_ADDRESS ?? "127.0.0.1:0" };
}

export interface Server {
  /** `http://127.0.0.1:…` */
  base: string;
  /** The data folder. */
  data: string;
  /** Asks the process to end, waits for it and removes its data. */
  stop(): Promise<void>;
}

/** A demo beside the others, as `make run` starts it: without ways to pay, and soon there, as it has members before it begins. */
export async function startWithoutWays(): Promise<Server> {
  return startAlone(await mkdtemp(join(tmpdir(), "bindery-")));
}

/** The same under a name, `http://localhost:…`: browsers know passkeys of no number. */
export async function startNamed(): Promise<Server> {
  const data = await mkdtemp(join(tmpdir(), "bindery-"));
  const port = await freePort();
  named.set(data, port);
  return { ...(await startAlone(data)), base: `http://localhost:${port}` };
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function startAlone(data: string): Promise<Server> {
  unpaid.add(data);
  await run(data, "member", "add", "--account", "first@example.com", "--password", "一本好书 2026");
  return start(data);
}

/** Starts the program on a free port; it says itself which one. */
export async function start(folder?: string): Promise<Server> {
  const data = folder ?? (await mkdtemp(join(tmpdir(), "bindery-")));
  const child = spawn(binary(), ["serve", "--demo"], {
    cwd: data,
    env: environment(data),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = () => child.kill("SIGKILL");
  // when these tests themselves end without warning, nothing is left behind
  const abandon = () => {
    kill();
    rmSync(data, { recursive: true, force: true });
  };
  process.once("exit", abandon);

  const base = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the server did not start in time")), START_MS);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const address = /http:\/\/\S+/.exec(line)?.[0];
      if (!address) return;
      clearTimeout(timer);
      resolve(address);
    });
  }).catch((reason: unknown) => {
    abandon();
    throw reason;
  });

  return {
    base,
    data,
    async stop() {
      process.off("exit", abandon);
      if (child.exitCode === null) {
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        // connections that browsers hold open do not delay the end for ever
        const timer = setTimeout(kill, 20_000);
        await ended;
        clearTimeout(timer);
      }
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** Runs another command of the program on the data of a running server, and answers what it printed. */
export async function run(data: string, ...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(binary(), words, { env: environment(data) });
  return stdout;
}

/** The same, for a command that is given two hours later. */
export async function runLater(data: string, ...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("faketime", ["+2 hours", binary(), ...words], { env: environment(data) });
  return stdout;
}
