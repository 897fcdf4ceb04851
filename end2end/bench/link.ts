// Cold loads of pages of this machine through a slow link.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Asked, Load } from "./cold.js";
import { at } from "./figures.js";

/** Links: 150 ms and 1.6 Mbit/s, 400 ms and 400 kbit/s, 800 ms and 256 kbit/s. */
export type Link = "slow4g" | "3g" | "2g";

/** A program that runs a command in a network namespace, where the server's port is far away: no part of the project. */
const SLOW = process.env.BINDERY_BENCH_LINK ?? fileURLToPath(new URL("../../../shared/bench/net/slow", import.meta.url));
const HERE = fileURLToPath(new URL(".", import.meta.url));

/** The medians of some cold loads. */
export async function cold(link: Link, url: string, runs: number, what: Pick<Asked, "picture" | "use" | "cookies"> = {}): Promise<Load> {
  if (!existsSync(SLOW)) throw new Error(`no link at ${SLOW}: name the program in BINDERY_BENCH_LINK`);
  const folder = await mkdtemp(join(tmpdir(), "link-"));
  try {
    const asked: Asked = { url, runs, out: join(folder, "loads.json"), ...what };
    const command = [link, new URL(url).port, "--", join(HERE, "../node_modules/.bin/tsx"), join(HERE, "cold.ts")];
    const child = spawn(SLOW, command, { env: { ...process.env, BENCH_LOAD: JSON.stringify(asked) }, stdio: ["ignore", "inherit", "inherit"] });
    const [code] = (await once(child, "exit")) as [number | null];
    if (code !== 0) throw new Error(`a load through ${link} ended with ${code}`);
    const loads = JSON.parse(await readFile(asked.out, "utf8")) as Load[];
    const median = (figure: (load: Load) => number) => at(loads.map(figure), 0.5);
    return {
      first: median((load) => load.first),
      largest: median((load) => load.largest),
      element: loads[0]?.element ?? "",
      seen: median((load) => load.seen),
      ...(what.use && { used: median((load) => load.used ?? NaN) }),
      until: median((load) => load.until),
      bytes: median((load) => load.bytes),
      requests: median((load) => load.requests),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
