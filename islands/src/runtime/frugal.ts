interface Connection {
  saveData?: boolean;
  effectiveType?: string;
  /** Milliseconds to a server and back. */
  rtt?: number;
}

/** From here on, what nobody has asked for would stand in the way of what somebody has. */
const SLOW = 300;

const connection = () => (navigator as { connection?: Connection }).connection;

/** Somebody counts bytes, or waits for each of them. A browser that does not say so has a line that is fast enough. */
export function isFrugal({ saveData, effectiveType = "4g", rtt = 0 }: Connection = connection() ?? {}): boolean {
  return saveData === true || effectiveType !== "4g" || rtt > SLOW;
}
