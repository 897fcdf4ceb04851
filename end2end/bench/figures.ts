// What the measurements share.
import { readFileSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { Server } from "../support/server.js";

/** What stands at a share of some figures, 0.95 being the 95th percentile, to a tenth. */
export function at(figures: number[], share: number): number {
  const sorted = [...figures].sort((one, other) => one - other);
  const found = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return Math.round((found ?? NaN) * 10) / 10;
}

/** For pages: functions that are sent into them name themselves by a helper that only the compiled script has. */
export const HELPER = "globalThis.__name = (it) => it;";

const TICKS_A_SECOND = 100;

/** What the processes that work in a folder had of the processor so far, in the kernel's ticks. */
function ticks(folder: string): number {
  let all = 0;
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (readlinkSync(`/proc/${id}/cwd`) !== folder) continue;
      const fields = readFileSync(`/proc/${id}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
      // user and system are the 14th and 15th of all
      all += Number(fields[11]) + Number(fields[12]);
    } catch {
      // it has ended meanwhile
    }
  }
  return all;
}

/** Waits until a server has drawn what was just made: two seconds in which it needs no more than a twentieth of a core. */
export async function settled(server: Server): Promise<void> {
  const folder = realpathSync(server.data);
  let before = ticks(folder);
  for (let calm = 0; calm < 2; ) {
    await setTimeout(1000);
    const now = ticks(folder);
    calm = now - before <= TICKS_A_SECOND / 20 ? calm + 1 : 0;
    before = now;
  }
}
