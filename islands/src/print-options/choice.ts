// What a member chooses in the dialog, where it comes from and when two choices are the same.

/** A choice as it is typed: one code for each shown step, empty where there is none. */
export interface Choice {
  cnums: string[];
  quantity: string;
  remark: string;
}

/** A choice that is not saved yet, with the saved one that it began from. */
export interface Draft extends Choice {
  base: string;
}

/** The parts of the plain form that the member changed. */
export interface Typed {
  /** By the step's id. */
  cnums?: Map<string, string>;
  quantity?: string;
  remark?: string;
}

/** Equal for choices that would be kept as the same. */
export function keyOf({ cnums, quantity, remark }: Choice): string {
  return JSON.stringify([cnums, quantityIn(quantity) ?? quantity, remark.trim()]);
}

/** A whole number from 1 to 1,000,000 in ASCII digits (specification section 5). */
export function quantityIn(text: string): number | undefined {
  const count = /^\d+$/.test(text.trim()) ? Number(text) : 0;
  return count >= 1 && count <= 1_000_000 ? count : undefined;
}

export function isDraft(value: unknown): value is Draft {
  const { base, cnums, quantity, remark } = (value ?? {}) as Record<string, unknown>;
  const isText = (text: unknown) => typeof text === "string";
  return [base, quantity, remark].every(isText) && Array.isArray(cnums) && cnums.every(isText);
}

/** Reads what differs from how the form arrived. */
export function typedIn(form: ParentNode): Typed {
  const typed: Typed = { cnums: new Map() };
  for (const radio of form.querySelectorAll<HTMLInputElement>("input[type=radio]:checked")) {
    if (!radio.defaultChecked) typed.cnums?.set(radio.name.replace(/^step-/, ""), radio.value);
  }
  const changed = (name: string) => {
    const field = form.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[name=${name}]`);
    return field && field.value !== field.defaultValue ? field.value : undefined;
  };
  return { ...typed, quantity: changed("quantity"), remark: changed("remark") };
}
