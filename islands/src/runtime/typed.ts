// What people type into a field of numbers, as the server reads it (`domain::typed`).

/** NFKC without what nobody sees, every dash a `-` and every space a plain one, none of them around it. */
export function typed(text: string): string {
  const plain = text.replace(/\p{Default_Ignorable_Code_Point}/gu, "").normalize("NFKC");
  return plain.replace(/\p{Dash}/gu, "-").replace(/\s/g, " ").trim();
}

/** A whole number, perhaps with commas between thousands and a unit: `1,000`, `２ 份`. */
export function wholeIn(text: string, units: string): number | undefined {
  const number = /^(\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?: \d{3})+) ?(\D?)$/u.exec(typed(text));
  return number?.[1] && units.includes(number[2] ?? "") ? Number(number[1].replace(/\D/g, "")) : undefined;
}
