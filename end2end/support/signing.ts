// Keys that the journeys' own providers sign and seal with: those of the program's tests.
import { createCipheriv, createSign, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where a key's file is, for the program's settings. */
export function keyFile(name: string): string {
  return fileURLToPath(new URL(`../../app/tests/keys/${name}.pem`, import.meta.url));
}

/** RSA-SHA256 with a named key, base64. */
export function sign(name: string, text: string): string {
  return createSign("RSA-SHA256").update(text).sign(readFileSync(keyFile(name)), "base64");
}

/** AES-256-GCM, base64 with the tag at the end. */
export function seal(key: string, nonce: string, beside: string, text: string): string {
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(beside));
  return Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]).toString("base64");
}

export function nonce(): string {
  return randomBytes(16).toString("hex");
}
