// Ids that tell one showing of a form from another.

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

/** A new id, as the server makes them: 48 bits of time and 80 of chance in 26 letters and digits (ULID). */
export function newId(now: number = Date.now()): string {
  const chance = crypto.getRandomValues(new Uint8Array(16));
  const time = Array.from({ length: 10 }, (_, at) => DIGITS[Math.floor(now / 32 ** (9 - at)) % 32]);
  return [...time, ...Array.from(chance, (byte) => DIGITS[byte % 32])].join("");
}
