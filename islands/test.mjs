// Compiles every test that stands beside its subject into one temporary folder and hands them to node's own runner.
import { spawnSync } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

const here = import.meta.dirname;
const out = join(here, "node_modules", ".tests");
const all = await readdir(here, { recursive: true });
const tests = all.filter((file) => /^(src|lint)\/.*\.test\.(tsx?|mjs)$/.test(file)).map((file) => join(here, file));

await rm(out, { recursive: true, force: true });
await build({
  entryPoints: tests,
  outdir: out,
  outbase: here,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  sourcemap: "inline",
  // what islands stand on names an element of its own where it is loaded
  banner: { js: "globalThis.HTMLElement ??= class {}; globalThis.customElements ??= { define() {} };" },
  logLevel: "warning",
});
const built = (await readdir(out, { recursive: true })).filter((file) => file.endsWith(".mjs"));
const run = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...built.map((file) => join(out, file))], {
  stdio: "inherit",
});
process.exit(run.status ?? 1);
