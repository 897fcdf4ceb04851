import assert from "node:assert/strict";
import { test } from "node:test";
import { lazy } from "./lazy.js";

const page = new EventTarget();
globalThis.dispatchEvent = page.dispatchEvent.bind(page);

function part(...outcomes: (string | Error)[]) {
  const starts: number[] = [];
  const load = lazy("part", () => {
    const outcome = outcomes[Math.min(starts.push(0), outcomes.length) - 1] ?? "";
    return typeof outcome === "string" ? Promise.resolve(outcome) : Promise.reject(outcome);
  });
  return { load, starts };
}

test("a part is loaded once", async () => {
  const { load, starts } = part("code");
  assert.deepEqual(await Promise.all([load(), load()]), ["code", "code"]);
  assert.equal(await load(), "code");
  assert.equal(starts.length, 1);
});

test("a failure is told once and thrown; a later call tries again", async () => {
  const told: unknown[] = [];
  const hear = (event: Event) => told.push((event as CustomEvent).detail);
  page.addEventListener("preload-error", hear);
  const error = new TypeError("offline");
  const { load } = part(error, "code");
  const [first, second] = await Promise.allSettled([load(), load()]);
  assert.deepEqual([first.status, second.status], ["rejected", "rejected"]);
  assert.deepEqual(told, [{ name: "part", error }]);
  assert.equal(await load(), "code");
  page.removeEventListener("preload-error", hear);
});

test("a failure that somebody deals with is not thrown", async () => {
  const handle = (event: Event) => event.preventDefault();
  page.addEventListener("preload-error", handle);
  assert.equal(await part(new Error("offline")).load(), undefined);
  page.removeEventListener("preload-error", handle);
});
