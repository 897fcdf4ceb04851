import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes, creation, request, text } from "./passkeys.js";

test("bytes go through base64url and back", () => {
  for (const length of [0, 1, 2, 3, 255, 256]) {
    const some = Uint8Array.from({ length }, (_, index) => (index * 7 + 250) % 256);
    const written = text(some.buffer);
    assert.match(written, /^[\w-]*$/);
    assert.deepEqual(bytes(written), some);
  }
});

test("options come as bytes where the browser wants bytes", () => {
  const made = creation({ challenge: "AQID", user: { id: "BA", name: "a", displayName: "b" }, excludeCredentials: [{ id: "_-8", type: "public-key" }], timeout: 300000 });
  assert.deepEqual(made.challenge, Uint8Array.of(1, 2, 3));
  assert.deepEqual(made.user, { id: Uint8Array.of(4), name: "a", displayName: "b" });
  assert.deepEqual(made.excludeCredentials?.[0]?.id, Uint8Array.of(255, 239));
  assert.equal(made.timeout, 300000);
  assert.deepEqual(request({ challenge: "AQID" }), { challenge: Uint8Array.of(1, 2, 3), allowCredentials: [] });
});
