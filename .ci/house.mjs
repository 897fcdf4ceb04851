// Draws the house as lists: which crate imports which, which modules of a floor import one another in a circle, whose tables
// a slice's statements name, and how often each address stands in the code. `node .ci/house.mjs`.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const app = new URL("../app/", import.meta.url).pathname;
const read = (path) => readFileSync(join(app, path), "utf8");
const names = (folder) => readdirSync(join(app, folder)).sort();

/** All Rust files below a folder, without comments. */
function sources(folder) {
  return names(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(join(app, path)).isDirectory()) return sources(path);
    return name.endsWith(".rs") ? [{ path, text: read(path).replace(/^\s*\/\/.*$/gm, "") }] : [];
  });
}

const slices = names("slices");
const crates = ["domain", "photo", "press", "base", "web", "openid", ...slices, "server"];
const folderOf = (crate) => (slices.includes(crate) ? `slices/${crate}` : crate);

/** The crates that a Cargo.toml names below [dependencies]. */
function named(crate) {
  const below = read(`${folderOf(crate)}/Cargo.toml`).split(/^\[dependencies\]$/m)[1] ?? "";
  const own = below.split(/^\[/m)[0].matchAll(/^([a-z0-9_-]+)/gm);
  return [...own].map(([, name]) => name).filter((name) => crates.includes(name) && name !== crate);
}

console.log("# Crates and whom each imports");
for (const crate of crates) console.log(`${crate}: ${named(crate).join(" ") || "nobody"}`);

/** Modules of a crate, each with those that it imports. */
function imports(crate) {
  const files = sources(`${crate}/src`);
  const moduleOf = (path) => path.slice(`${crate}/src/`.length).split("/")[0].replace(/\.rs$/, "");
  const modules = new Map();
  for (const { path, text } of files) {
    if (/\/test(s|ing)\.rs$/.test(path)) continue;
    const from = moduleOf(path);
    const whole = text.split("#[cfg(test)]\nmod tests")[0];
    const to = modules.get(from) ?? new Set();
    for (const [, name] of whole.matchAll(/\bcrate::([a-z_]+)/g)) if (name !== from) to.add(name);
    modules.set(from, to);
  }
  modules.delete("lib");
  return modules;
}

/** Groups of modules that import one another, the largest first (Tarjan). */
function circles(modules) {
  const [order, low, stack, found] = [new Map(), new Map(), [], []];
  const visit = (node) => {
    order.set(node, order.size);
    low.set(node, order.get(node));
    stack.push(node);
    for (const next of modules.get(node) ?? []) {
      if (!modules.has(next)) continue;
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) !== order.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1) found.push(group.sort());
  };
  for (const node of modules.keys()) if (!order.has(node)) visit(node);
  return found.sort((one, other) => other.length - one.length);
}

for (const crate of ["base", "web"]) {
  const modules = imports(crate);
  console.log(`\n# Modules of ${crate} that import one another in a circle, of ${modules.size}`);
  const found = circles(modules);
  for (const group of found) console.log(`${group.length}: ${group.join(" ")}`);
  if (found.length === 0) console.log("none");
  // what everything stands on has none
  if (crate === "base" && found.length > 0) {
    console.error(`Modules of base import one another in a circle: ${found.map((group) => group.join(" ")).join("; ")}`);
    process.exitCode = 1;
  }
}

console.log("\n# Statements that name another slice's table");
const owners = new Map();
for (const crate of ["base", "web", ...slices]) {
  for (const { text } of sources(`${folderOf(crate)}/src`)) {
    for (const [, list] of text.matchAll(/^\s+(?:tables|passing): &\[([^\]]*)\]/gm)) {
      for (const [, table] of list.matchAll(/"([a-z_]+)"/g)) owners.set(table, crate);
    }
  }
}
const foreign = new Map();
for (const crate of ["base", "web", ...slices]) {
  for (const { path, text } of sources(`${folderOf(crate)}/src`)) {
    for (const [, table] of text.matchAll(/\b(?:from|join|into|update)\s+([a-z_]+)/g)) {
      const owner = owners.get(table);
      // the lower floor has no slice to name its tables
      if (owner && owner !== crate && crate !== "base") foreign.set(`${crate} → ${owner}: ${table}`, path);
    }
  }
}
for (const [line, path] of [...foreign].sort()) console.log(`${line} (${path})`);
if (foreign.size === 0) console.log("none");

console.log("\n# Addresses that stand in more than one row");
const rows = new Map();
for (const { text } of ["base", "web", ...slices].flatMap((crate) => sources(`${folderOf(crate)}/src`))) {
  for (const [, pattern] of text.matchAll(/Route::new\(\s*"([^"]+)"/g)) rows.set(pattern, (rows.get(pattern) ?? 0) + 1);
}
const twice = [...rows].filter(([, count]) => count > 1);
for (const [pattern, count] of twice) console.log(`${pattern}: ${count}`);
console.log(`${rows.size} addresses, ${rows.size - twice.length} of them in one row`);
