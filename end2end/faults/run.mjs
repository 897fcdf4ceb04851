// Puts each deliberate fault into the program and sees the named test catch it: `make faults`, or
// `make faults ONLY=name`. With --check it only sees that every fault still has its place.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { FAULTS } from "./faults.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const words = process.argv.slice(2);
const checkOnly = words.includes("--check");
const only = words.find((word) => !word.startsWith("--"));
const chosen = FAULTS.filter((fault) => !only || fault.name.includes(only));
if (chosen.length === 0) throw new Error(`no fault is called ${only}`);

/** A file's text, and the same with the fault in it. */
function texts({ name, file, find, put }) {
  const sound = readFileSync(root + file, "utf8");
  if (sound.split(find).length !== 2) throw new Error(`${name}: its place is not found once in ${file}`);
  return { sound, broken: sound.replace(find, () => put) };
}

for (const fault of chosen) texts(fault);
if (checkOnly) process.exit(0);

let missed = 0;
for (const fault of chosen) {
  const { sound, broken } = texts(fault);
  const restore = () => writeFileSync(root + fault.file, sound);
  const stop = () => {
    restore();
    process.exit(130);
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  writeFileSync(root + fault.file, broken);
  let output;
  try {
    const [kind, test] = fault.test;
    const which = kind === "lib" ? ["--workspace", "--lib"] : ["--workspace", "--test", kind];
    const command = ["cargo", "test", "--quiet", ...which, "--", test, "--test-threads=2"];
    const env = { BINDERY_MODEL_OPERATIONS: "2500", ...process.env };
    const options = { cwd: root, env, encoding: "utf8", maxBuffer: 1 << 28 };
    // the HTTP tests know the program only as a process; one that is not there in time fails them with a sentence
    if (kind === "alone" || kind === "shared") spawnSync("cargo", ["build", "--quiet", "-p", "bindery"], options);
    const { stdout, stderr } = spawnSync(".ci/with-postgres", command, options);
    output = stdout + stderr;
  } finally {
    restore();
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
  const caught = output.includes(" FAILED") || /^test result: FAILED/m.test(output);
  const ran = /running [1-9]\d* tests?/.test(output);
  if (!caught) missed += 1;
  const verdict = caught ? "caught" : ran ? "MISSED" : "NOT RUN (does it still compile?)";
  console.log(`${verdict.padEnd(8)} ${fault.name}  by ${fault.test.join(" ")}`);
}
process.exit(missed === 0 ? 0 : 1);
