// Money in 分, as integers. No amount is ever a fraction of a number.

/** Reads yuan as the calls carry them, `1234.50`; undefined for anything else. */
export function fenOf(yuan: string): number | undefined {
  const [, whole, decimals = ""] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(yuan) ?? [];
  const fen = Number(`${whole ?? "x"}${decimals.padEnd(2, "0")}`);
  return Number.isSafeInteger(fen) ? fen : undefined;
}

/** Yuan for a screen, with commas between thousands: `1,234.50`. */
export function grouped(fen: number): string {
  const digits = String(fen).padStart(3, "0");
  return `${digits.slice(0, -2).replace(/\B(?=(?:\d{3})+$)/g, ",")}.${digits.slice(-2)}`;
}

/** `fen ÷ parts`, rounded down to a whole 分 (specification section 9). */
export function dividedDown(fen: number, parts: number): number {
  return (fen - (fen % parts)) / parts;
}
