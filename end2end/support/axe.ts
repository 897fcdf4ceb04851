// axe-core, run inside a page: that needs JavaScript.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type axe from "axe-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds on a page, one line for each kind of fault. */
export async function faults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
    return violations.map(({ id, help, nodes }) => {
      const where = nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} — ${node.failureSummary?.split("\n").slice(1, 3).join(" ").trim()}`);
      return `${id}: ${help} (${nodes.length})\n  ${where.join("\n  ")}`;
    });
  });
}
