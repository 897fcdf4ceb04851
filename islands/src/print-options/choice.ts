// What a member chooses in the dialog, where it comes from and when two choices are the same.
import { wholeIn } from "../runtime/typed.js";

/** A choice as it is typed: one code for each shown step, empty where there is none. */
export interface Choice {
  cnums: string[];
  quantity: string;
  remark: string;
}

/** A choice that is not saved yet, with the saved one that it began from. */
export interface Draft extends Choice {
  base: Choice;
}

/** The parts of the plain form that the member changed. */
export interface Typed {
  /** By the step's id. */
  cnums?: Map<string, string>;
  quantity?: string;
  remark?: string;
}

/** Equal for choices that would be kept as the same. */
export function keyOf(choice: Choice): string {
  return JSON.stringify([partOf(choice, "cnums"), partOf(choice, "quantity"), partOf(choice, "remark")]);
}

/** What a draft changes of the line as it is kept now; what was saved elsewhere since is newer than the draft. */
export function carriedOver(draft: Draft, saved: Choice): Choice {
  const pick = <K extends keyof Choice>(name: K): Choice[K] =>
    String(partOf(draft.base, name)) === String(partOf(saved, name)) ? draft[name] : saved[name];
  return { cnums: pick("cnums"), quantity: pick("quantity"), remark: pick("remark") };
}

function partOf({ cnums, quantity, remark }: Choice, name: keyof Choice): unknown {
  return { cnums, quantity: quantityIn(quantity) ?? quantity, remark: remark.trim() }[name];
}

/** A whole number from 1 to 1,000,000 (specification section 5), in what copies are counted in. */
export function quantityIn(text: string): number | undefined {
  const count = wholeIn(text, "份本册套个张件") ?? 0;
  return count >= 1 && count <= 1_000_000 ? count : undefined;
}

export function isDraft(value: unknown): value is Draft {
  return isChoice(value) && isChoice((value as Partial<Draft>).base);
}

function isChoice(value: unknown): value is Choice {
  const { cnums, quantity, remark } = (value ?? {}) as Record<string, unknown>;
  const isText = (text: unknown) => typeof text === "string";
  return [quantity, remark].every(isText) && Array.isArray(cnums) && cnums.every(isText);
}

/** Reads what differs from how the form arrived; all of it where it arrived with choices that are not saved. */
export function typedIn(form: ParentNode): Typed {
  const typed: Typed = { cnums: new Map() };
  const isAsked = form.querySelector("form[data-asked]") !== null;
  for (const radio of form.querySelectorAll<HTMLInputElement>("input[type=radio]:checked")) {
    if (isAsked || !radio.defaultChecked) typed.cnums?.set(radio.name.replace(/^step-/, ""), radio.value);
  }
  const changed = (name: string) => {
    const field = form.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[name=${name}]`);
    return field && (isAsked || field.value !== field.defaultValue) ? field.value : undefined;
  };
  return { ...typed, quantity: changed("quantity"), remark: changed("remark") };
}
