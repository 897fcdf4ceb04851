// Bundles ../style and ./src into dist/: hashed names, a manifest, and every file compressed ahead.
import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, parse, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build } from "esbuild";

const here = import.meta.dirname;
const dist = join(here, "dist");
const style = join(here, "..", "style");
const list = async (folder, ending) =>
  (await readdir(folder)).filter((name) => name.endsWith(ending)).map((name) => join(folder, name));

// areas/site.css is part of site.css: every page may have to say that something went wrong.
const areas = (await list(join(style, "areas"), ".css")).filter((file) => basename(file) !== "site.css");
const styles = [join(style, "site.css"), ...areas];
/**
 * A style's folder is its layer: what an area says goes before what components say, however precisely and whichever file comes
 * first, and that before what all pages say. Their order stands in site.css.
 */
const layers = {
  name: "layers",
  setup: (building) => building.onLoad({ filter: /\/style\/.+\.css$/ }, async ({ path }) => {
    const text = await readFile(path, "utf8");
    const [before] = /^(?:\s*(?:\/\*[^]*?\*\/|@(?:import|layer)[^;{]*;))*/.exec(text);
    const own = text.slice(before.length).trim();
    const folder = basename(dirname(path));
    return { loader: "css", contents: own ? `${before}\n@layer ${folder === "style" ? "base" : folder} {\n${own}\n}` : text };
  }),
};
// A file directly in src is an entry that pages name; what it imports is in the folders beside it.
const scripts = await list(join(here, "src"), ".ts");

await mkdir(dist, { recursive: true });
/** What is there, of which the rest goes. A file that did not change is left alone: the released program holds it, and is else made anew. */
const before = new Set(await readdir(dist));

const named = [...styles, ...scripts];
const bundle = (files, splitting) => build({
  entryPoints: files.map((file) => ({ in: file, out: parse(file).name })),
  outdir: dist,
  bundle: true,
  splitting,
  format: "esm",
  minify: true,
  charset: "utf8",
  legalComments: "none",
  jsx: "automatic",
  define: { "process.env.NODE_ENV": '"production"' },
  target: ["es2022", "chrome100", "firefox115", "safari15.4"],
  entryNames: "[name]-[hash]",
  chunkNames: "chunk-[hash]",
  metafile: true,
  write: false,
  plugins: [layers],
});
// a worker lies elsewhere than its chunks would: it is one file
const isWorker = (file) => file.endsWith("_worker.ts");
// what other scripts have in common with islands is little, and would cut what islands stand on into a file for each of it
const hasIslands = (file) => ["islands.ts", "cart.ts", "guests.ts"].includes(basename(file));
// a page that is read is weighed: what its scripts have in common with others is in each of them
const isAlone = (file) => ["reader.ts", "count.ts"].includes(basename(file));
const results = [
  await bundle(named.filter((file) => !isWorker(file) && !hasIslands(file) && !isAlone(file)), true),
  ...(await Promise.all(named.filter(isAlone).map((file) => bundle([file], true)))),
  await bundle(named.filter(hasIslands), true),
  await bundle(named.filter(isWorker), false),
];

const outputs = Object.assign({}, ...results.map(({ metafile }) => metafile.outputs));
const entries = new Map();
for (const [file, output] of Object.entries(outputs)) {
  // an island's chunk is imported by its file name; esbuild calls it an entry, too
  const entry = named.find((entry) => output.entryPoint && resolve(output.entryPoint) === entry);
  const name = entry ? logical(entry) : basename(file);
  entries.set(name, basename(file));
}
// esbuild's own helpers do nothing by themselves: who takes nothing of them need not fetch them
const isHelper = (file) => !outputs[file].entryPoint && outputs[file].imports.length === 0 && Object.keys(outputs[file].inputs).length === 0;
for (const file of results.flatMap(({ outputFiles }) => outputFiles)) {
  const output = outputs[`dist/${basename(file.path)}`];
  const unused = output.imports.map(({ path }) => path).filter((path) => path in outputs && isHelper(path) && file.text.includes(`import"./${basename(path)}";`));
  output.imports = output.imports.filter(({ path }) => !unused.includes(path));
  const text = unused.reduce((text, path) => text.replace(`import"./${basename(path)}";`, ""), file.text);
  await emit(basename(file.path), unused.length ? Buffer.from(text) : file.contents);
}

for (const file of await list(join(here, "static"), "")) {
  const contents = await readFile(file);
  const { name, ext } = parse(file);
  const hashed = `${name}-${createHash("sha256").update(contents).digest("hex").slice(0, 8).toUpperCase()}${ext}`;
  entries.set(basename(file), hashed);
  await emit(hashed, contents);
}

// An island's own script, and all that it and whatever puts it in its place import: a page can have them fetched at once.
const parts = (source) => {
  const own = Object.keys(outputs).find((file) => outputs[file].entryPoint && resolve(outputs[file].entryPoint) === join(here, "src", source));
  return imported(own);
};
const islands = new Map();
for (const { entryPoint } of Object.values(outputs)) {
  const name = /(?:^|\/)src\/([\w-]+)\/index\.tsx$/.exec(entryPoint ?? "")?.[1];
  if (!name) continue;
  const own = parts(`${name}/index.tsx`);
  const files = new Set([...parts("islands.ts"), ...parts("runtime/mount.ts"), ...own]);
  // the largest, for which a browser has a connection open, then what calls for the others: nothing that all wait for comes last
  const [largest, ...others] = [...files].sort((one, other) => outputs[other].bytes - outputs[one].bytes).map((file) => basename(file));
  islands.set(`${name}.island`, { file: basename(own.at(-1)), imports: [...new Set([largest, entries.get("islands.js"), ...others])] });
}

const manifest = Object.fromEntries([...[...entries].map(([name, file]) => [name, { file }]), ...islands].sort(([one], [other]) => (one < other ? -1 : 1)));
await put("manifest.json", Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
for (const name of before) await rm(join(dist, name));

/** A script's file, behind those that it imports. */
function imported(file, found = new Set()) {
  if (found.has(file)) return [];
  found.add(file);
  const before = outputs[file].imports.filter(({ kind }) => kind === "import-statement").flatMap(({ path }) => imported(path, found));
  return [...before, file];
}

/** The name that a page asks for: `site.css`, `site.js`, `works.css`. */
function logical(file) {
  const { name, ext } = parse(file);
  return ext === ".css" ? `${name}.css` : `${name}.js`;
}

/** Writes a file and its .br and .gz; a file that does not shrink is only written as it is. */
async function emit(name, contents) {
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: contents.length } }),
    promisify(gzip)(contents, { level: 9 }),
  ]);
  await put(name, contents);
  if (br.length < contents.length) await put(`${name}.br`, br);
  if (gz.length < contents.length) await put(`${name}.gz`, gz);
  console.log(`${name.padEnd(28)} ${String(contents.length).padStart(7)}  br ${String(br.length).padStart(6)}  gz ${String(gz.length).padStart(6)}`);
}

async function put(name, contents) {
  const isSame = before.delete(name) && Buffer.compare(await readFile(join(dist, name)), contents) === 0;
  if (!isSame) await writeFile(join(dist, name), contents);
}
