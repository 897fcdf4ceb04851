// axe-core, run inside a page: that needs JavaScript.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type axe from "axe-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds on a page or in a part of it, one line for each kind of fault; by some of its rules alone where they
 * are named, or by those that it leaves to choice (`also`), too. */
export async function faults(page: Page, { rules, also = [], part = "html" }: { rules?: string[]; also?: string[]; part?: string } = {}): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  // nothing is written down of what is as it should be
  const options: axe.RunOptions = { resultTypes: ["violations"], ...(rules && { runOnly: rules }), rules: Object.fromEntries(also.map((rule) => [rule, { enabled: true }])) };
  return page.evaluate(async ([part, options]) => {
    // a colour on its way to another one is nobody's: what ends is waited for
    const ending = document.getAnimations().filter(({ effect, playState }) => playState === "running" && effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(part, options);
    return violations.map(({ id, help, nodes }) => {
      const where = nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} — ${node.failureSummary?.split("\n").slice(1, 3).join(" ").trim()}`);
      return `${id}: ${help} (${nodes.length})\n  ${where.join("\n  ")}`;
    });
  }, [part, options] as const);
}
