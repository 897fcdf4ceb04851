// Which way of the sign-in page is shown. No DOM: values in, values out.

/** What the sign-in page remembers. */
export interface Kept {
  /** The value of `way` in the address; empty for the page itself, which begins with the QR code. */
  way: string;
  account: string;
}

/** Whether a kept value can be used. */
export function isKept(value: unknown): value is Kept {
  if (typeof value !== "object" || value === null) return false;
  const { way, account } = value as Partial<Record<keyof Kept, unknown>>;
  return typeof way === "string" && typeof account === "string";
}

/** How the visitor came to the page. */
export interface Visit {
  /** The way in the page's address. */
  asked: string | null;
  /** The page shows what was wrong with a form. */
  refused: boolean;
  /** The back button led here. */
  returned: boolean;
}

/** The ways that are remembered; others hang on something that is over when the visitor returns. */
const REMEMBERED = ["registration", "recovery"];

/** The way to remember from now on, and whether to leave for it. */
export function choice(kept: string, { asked, refused, returned }: Visit): { way: string; leave: boolean } {
  const way = REMEMBERED.includes(kept) && !returned ? kept : "";
  return { way, leave: way !== "" && asked === null && !refused };
}
