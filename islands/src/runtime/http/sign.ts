// The optional signature of a request (specification section 7). Loaded only by a program that has a key.
import { md5 } from "@noble/hashes/legacy.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** MD5 over the non-empty parameters except `sign`, sorted by the bytes of their names and then of their values: `a=1&b=2&key={key}`. */
export function sign(params: Iterable<readonly [string, string]>, key: string): string {
  const signed = [...params]
    .filter(([name, value]) => name !== "sign" && value !== "")
    .map(([name, value]) => ({ order: `${hex(name)} ${hex(value)}`, text: `${name}=${value}` }))
    .sort((a, b) => (a.order < b.order ? -1 : Number(a.order > b.order)))
    .map(({ text }) => text);
  return bytesToHex(md5(utf8ToBytes([...signed, `key=${key}`].join("&")))).toUpperCase();
}

const hex = (text: string) => bytesToHex(utf8ToBytes(text));
