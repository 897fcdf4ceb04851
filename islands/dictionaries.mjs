// Writes static/*.dictionary: what the pages of the demo have in common, which browsers fetch once (see
// ../app/web/src/render/dictionary.rs). `node dictionaries.mjs PROGRAM`, as `make dictionaries` calls it.
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Which pages each is for, and whether they are shown to the demo member; where the first way through them begins. */
const DICTIONARIES = [
  { name: "members", isMembers: true, isOf: /^\/manager\// },
  { name: "readers", isMembers: false, isOf: /^\/(read|epaper|magazine|shelf|card)\// },
];
const FROM = ["/manager/opus_list/all", "/manager/shopping/cart", "/manager/order", "/manager/photos"];
/** Longer ones hardly make pages shorter, and have to be fetched, too: a third or a quarter of this. */
const MOST_BYTES = 32 * 1024;
/** Of each kind of page, as its address tells. */
const MOST_OF_A_KIND = 3;
/** What nobody finds twice is not worth its place; what is shorter is found anyhow. */
const LEAST_BYTES = 12;
/** Ids, codes, amounts, days, hashes and addresses are another's on every other page. */
const OWN = /[0-9a-z]{20,}|[A-Z0-9]{8,}|\d{3,}|\d\.\d|@|data:/;

const [program] = process.argv.slice(2);
const data = await mkdtemp(join(tmpdir(), "bindery-"));
const server = spawn(program, ["serve", "--demo"], {
  env: { ...process.env, BINDERY_DATA: data, BINDERY_LOG: "bindery=warn", LEPTOS_SITE_ADDR: "127.0.0.1:0" },
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const base = await new Promise((resolve, reject) => {
    server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    createInterface({ input: server.stdout }).on("line", (line) => {
      const address = /http:\/\/\S+/.exec(line)?.[0];
      if (address) resolve(address);
    });
  });
  const session = await signIn(base);
  const links = new Set(FROM);
  for (const { name, isMembers, isOf } of DICTIONARIES) {
    const pages = await visit(base, isMembers ? session : "", links, isOf);
    const text = common(pages);
    await writeFile(join(import.meta.dirname, "static", `${name}.dictionary`), text);
    console.log(`${name}: ${Buffer.byteLength(text)} bytes of ${pages.length} pages`);
  }
} finally {
  server.kill("SIGKILL");
  await rm(data, { recursive: true, force: true });
}

/** The demo member's session, as a cookie. */
async function signIn(base) {
  const answer = await fetch(`${base}/manager/login`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: base, "content-type": "application/x-www-form-urlencoded" },
    body: "account=demo%40example.com&password=bindery-demo",
  });
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/** The pages of these addresses that these links lead to, and theirs, which are added: a few of each kind. */
async function visit(base, cookie, links, isOf) {
  const kinds = new Map();
  const pages = [];
  // a set is walked to what is added while one walks
  for (const path of links) {
    const kind = path.replace(/\?.*/, "").replace(/\/[0-9a-z]{20,}|\/\d+/g, "/*");
    const before = kinds.get(kind) ?? 0;
    if (!isOf.test(path) || before >= MOST_OF_A_KIND) continue;
    const answer = await fetch(base + path, { redirect: "manual", headers: { accept: "text/html", cookie } });
    if (!answer.ok || !answer.headers.get("content-type")?.startsWith("text/html")) continue;
    kinds.set(kind, before + 1);
    // a browser's first page has styles inside, and has no dictionary yet
    const html = (await answer.text()).replace(/<style>.*?<\/style>/gs, "");
    pages.push({ kind, html });
    for (const [, link] of html.matchAll(/href="(\/[^"#]*)"/g)) links.add(link.replaceAll("&amp;", "&"));
  }
  return pages;
}

/** Tags, attributes' values and texts. */
function parts(html) {
  return html.split(/(?<=[>"])|(?=<)/);
}

/** What stands on more than one of these pages, what most kinds of them have last: what is near is named in fewer bits. */
function common(pages) {
  const times = new Map();
  for (const { html } of pages) for (const part of new Set(parts(html))) times.set(part, (times.get(part) ?? 0) + 1);
  const isCommon = (part) => times.get(part) > 1 && !OWN.test(part);
  const stretches = new Map();
  for (const { kind, html } of pages) {
    let stretch = "";
    for (const part of [...parts(html), undefined]) {
      if (part !== undefined && isCommon(part)) {
        stretch += part;
        continue;
      }
      if (stretch.length >= LEAST_BYTES) {
        const { pages, kinds } = stretches.get(stretch) ?? { pages: 0, kinds: new Set() };
        stretches.set(stretch, { pages: pages + 1, kinds: kinds.add(kind) });
      }
      stretch = "";
    }
  }
  const order = [...stretches].sort(
    ([a, left], [b, right]) => right.kinds.size - left.kinds.size || right.pages - left.pages || b.length - a.length || (a < b ? -1 : 1),
  );
  const known = new Set();
  const chosen = [];
  let bytes = 0;
  for (const [stretch] of order) {
    for (const piece of unknown(stretch, known)) {
      const more = Buffer.byteLength(piece);
      if (piece.length < LEAST_BYTES || bytes + more > MOST_BYTES) continue;
      chosen.push(piece);
      bytes += more;
    }
  }
  return chosen.reverse().join("");
}

/** The pieces of a stretch that no stretch before it had, with the little between them; it is known from now on. */
function unknown(stretch, known) {
  const grams = Array.from({ length: Math.max(1, stretch.length - LEAST_BYTES + 1) }, (_, at) => stretch.slice(at, at + LEAST_BYTES));
  const pieces = [];
  for (let at = 0; at < grams.length; at++) {
    if (known.has(grams[at])) continue;
    let end = at;
    for (let next = at; next < grams.length && next - end <= LEAST_BYTES; next++) if (!known.has(grams[next])) end = next;
    pieces.push(stretch.slice(at, end + LEAST_BYTES));
    at = end;
  }
  for (const gram of grams) known.add(gram);
  return pieces;
}
