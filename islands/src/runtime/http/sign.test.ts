import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { md5 } from "@noble/hashes/legacy.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { sign } from "./sign.js";

const expected = (text: string) => createHash("md5").update(text).digest("hex").toUpperCase();

test("MD5 is that of RFC 1321, appendix A.5", () => {
  const digest = (text: string) => bytesToHex(md5(utf8ToBytes(text)));
  assert.equal(digest(""), "d41d8cd98f00b204e9800998ecf8427e");
  assert.equal(digest("abc"), "900150983cd24fb0d6963f7d28e17f72");
  assert.equal(digest("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
  assert.equal(digest("1234567890".repeat(8)), "57edf4a22be3c955ac49da2e2107b67a");
});

test("parameters are sorted by the bytes of their names and values; empty ones and sign itself do not count", () => {
  const params = [["b", "2"], ["sign", "OLD"], ["empty", ""], ["a", "1"]] as const;
  assert.equal(sign(params, "secret"), expected("a=1&b=2&key=secret"));
  assert.equal(sign([["名", "值"], ["é", "3"], ["a", "2"], ["Z", "1"]], "k"), expected("Z=1&a=2&é=3&名=值&key=k"));
  // in UTF-16 the second name would come first
  assert.equal(sign([["😀", "1"], ["！", "2"]], "k"), expected("！=2&😀=1&key=k"));
  assert.equal(sign([["a", "2"], ["a", "10"], ["a", "1"], ["aa", "0"]], "k"), expected("a=1&a=10&a=2&aa=0&key=k"));
  assert.equal(sign([], "k"), expected("key=k"));
});
