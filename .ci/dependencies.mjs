// Every package that the lock files name: from a registry, with a digest, and on the list of docs/dependencies.txt, which
// says when it was written. Advisories can't be had everywhere a check runs; where they can,
// `cargo audit` and `npm audit` read the same lock files. `node .ci/dependencies.mjs --write` writes the list anew.
import { readFileSync, writeFileSync } from "node:fs";

const LIST = "docs/dependencies.txt";
const NPM = ["islands", "end2end", "end2end/lighthouse", "app/press", "app/server/benches/sharp"];
const CRATES = "registry+https://github.com/rust-lang/crates.io-index";

const wrong = [];
const found = new Set();

for (const block of readFileSync("Cargo.lock", "utf8").split("[[package]]").slice(1)) {
  const field = (name) => new RegExp(`^${name} = "(.*)"$`, "m").exec(block)?.[1];
  const [name, version, source] = [field("name"), field("version"), field("source")];
  if (!source) {
    if (!name.startsWith("bindery")) wrong.push(`${name} ${version} has no source`);
    continue;
  }
  if (source !== CRATES) wrong.push(`${name} ${version} comes from ${source}`);
  if (!field("checksum")) wrong.push(`${name} ${version} has no checksum`);
  found.add(`crates.io ${name} ${version}`);
}

for (const folder of NPM) {
  const { packages } = JSON.parse(readFileSync(`${folder}/package-lock.json`, "utf8"));
  for (const [path, entry] of Object.entries(packages)) {
    if (path === "" || entry.link) continue;
    const name = entry.name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    // without an address it is the registry's, and the digest says that it is the same bytes anywhere
    if (entry.resolved && !entry.resolved.startsWith("https://registry.npmjs.org/")) wrong.push(`${folder}: ${name} comes from ${entry.resolved}`);
    if (!entry.integrity) wrong.push(`${folder}: ${name} has no digest`);
    found.add(`npm ${name} ${entry.version}`);
  }
}

const lines = [...found].sort();
if (process.argv.includes("--write")) {
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(LIST, `# Written on ${today}\n${lines.join("\n")}\n`);
}
const [head, ...listed] = readFileSync(LIST, "utf8").trimEnd().split("\n");
for (const line of lines) if (!listed.includes(line)) wrong.push(`${line} is not on the list`);
for (const line of listed) if (!found.has(line)) wrong.push(`${line} is on the list and in no lock file`);
if (wrong.length > 0) {
  console.error(wrong.join("\n"));
  console.error(`Look at what is new, then: node .ci/dependencies.mjs --write`);
  process.exit(1);
}
console.log(`${lines.length} packages. ${head.replace(/^# /, "")}.`);
