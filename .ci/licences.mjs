// The licences of everything that the program contains, as one text: crates, npm packages of pages and fonts, and what lies in
// the sources and is others'. `node .ci/licences.mjs FILE`. The texts are those that lie in the packages, also of what they bring along
// in C; what has none and names no licence either is refused.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

// they pack the fonts and are in nothing
const TOOLS = ["argparse", "wawoff2"];
const TWEMOJI = `Twemoji <https://github.com/jdecked/twemoji>, © Twitter, Inc and other contributors, under CC BY 4.0
<https://creativecommons.org/licenses/by/4.0/>; layers that let something shine through were made opaque, and their places wider.`;
const OTHERS = [
  { name: "common passwords", texts: [readFileSync("app/domain/src/password/LICENSE", "utf8")] },
  { name: "the network that finds faces", texts: [readFileSync("app/photo/models/README.md", "utf8")] },
  { name: "cities", texts: [readFileSync("app/photo/cities/README.md", "utf8")] },
  { name: "drawings of emoji", texts: [TWEMOJI] },
  { name: "Bindery", texts: [readFileSync("LICENSE", "utf8")] },
];
const NAMED = /^(licen[cs]e|copying|notice|unlicense|ofl|patents)/i;

/** The texts in a package's folder, and in those of what it brings along. */
function textsIn(folder, depth = 3) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return depth > 0 && entry.name !== "node_modules" ? textsIn(path, depth - 1) : [];
    return NAMED.test(entry.name) && !/\.(rs|js|ts|py|toml|json)$/.test(entry.name) ? [readFileSync(path, "utf8")] : [];
  });
}

/** What a package says of itself where no text lies in it. */
function readme(folder) {
  const file = readdirSync(folder).find((name) => /^readme/i.test(name));
  return file && /^#+ licen[cs]e[^]*/im.exec(readFileSync(join(folder, file), "utf8"))?.[0].replace(/^.*\n+/, "").split("\n")[0];
}

function part(name, version, folder, license) {
  const texts = textsIn(folder);
  const said = license ?? (texts.length === 0 ? readme(folder) : undefined);
  if (texts.length === 0 && !said) throw new Error(`${name} ${version} says nowhere what its licence is`);
  return { name: `${name} ${version}${said ? ` (${said})` : ""}`, texts: texts.length > 0 ? texts : [`${said}, as the package says, which holds no text of it.`] };
}

/** Crates that are in the program, not those that only build or test it. */
function crates() {
  const host = /^host: (.*)$/m.exec(execFileSync("rustc", ["-vV"], { encoding: "utf8" }))[1];
  const asked = ["metadata", "--format-version", "1", "--locked", "--filter-platform", host];
  const { packages, resolve } = JSON.parse(execFileSync("cargo", asked, { encoding: "utf8", maxBuffer: 1 << 28 }));
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const seen = new Set();
  const waiting = [packages.find(({ name }) => name === "bindery").id];
  for (let id; (id = waiting.pop()) !== undefined; ) {
    if (seen.has(id)) continue;
    seen.add(id);
    for (const { pkg, dep_kinds } of nodes.get(id).deps) if (dep_kinds.some(({ kind }) => kind === null)) waiting.push(pkg);
  }
  return packages
    .filter(({ id, source }) => source && seen.has(id))
    .map(({ name, version, manifest_path, license }) => part(name, version, dirname(manifest_path), license));
}

function npm(folder) {
  const { packages } = JSON.parse(readFileSync(`${folder}/package-lock.json`, "utf8"));
  return Object.entries(packages)
    .filter(([path, entry]) => path !== "" && !entry.dev)
    .map(([path, { version }]) => ({ name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length), version, at: join(folder, path) }))
    .filter(({ name }) => !TOOLS.includes(name))
    .map(({ name, version, at }) => part(name, version, at, JSON.parse(readFileSync(join(at, "package.json"), "utf8")).license));
}

/** Who is under a text; most say the same. */
const under = new Map();
for (const { name, texts } of [...crates(), ...npm("islands"), ...npm("app/press"), ...OTHERS]) {
  for (const text of new Set(texts.map((text) => text.replaceAll("\r", "").trim()))) under.set(text, [...(under.get(text) ?? []), name]);
}
const parts = [...under].map(([text, names]) => `${"=".repeat(80)}\n${names.join("\n")}\n\n${text}\n`);
writeFileSync(process.argv[2], `The licences of everything that Bindery contains, and whose they are.\n\n${parts.join("\n")}`);
console.log(`${under.size} texts`);
