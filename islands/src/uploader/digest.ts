// What a file is, before a byte of it is sent.

/** Bytes that are read at once where the browser has no digest of its own. */
const SLICE = 1 << 20;

/** SHA-256 as lower-case hex. The browser computes it beside the page; without https it has none, and the page does. */
export async function sha256(file: Blob): Promise<string> {
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- only a secure page has it
  if (globalThis.crypto?.subtle) {
    return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer())));
  }
  const { sha256: hash } = await import("@noble/hashes/sha2.js");
  const digest = hash.create();
  for (let at = 0; at < file.size; at += SLICE) {
    digest.update(new Uint8Array(await file.slice(at, at + SLICE).arrayBuffer()));
  }
  return hex(digest.digest());
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const HEIF = ["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1", "avif", "avis"];

/** Whether a file is a photo as newer phones store it (ISO/IEC 23008-12): its brand stands after `ftyp`. */
export async function isHeif(file: Blob): Promise<boolean> {
  const start = new TextDecoder("latin1").decode(await file.slice(4, 12).arrayBuffer());
  return start.startsWith("ftyp") && HEIF.includes(start.slice(4));
}
