/** Somebody counts bytes, or waits for each of them. */
export function isFrugal(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  return connection?.saveData === true || (connection?.effectiveType ?? "").includes("2g");
}
