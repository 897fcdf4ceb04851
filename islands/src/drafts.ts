// Words that were typed into one form and not saved come back when another form of the page was sent instead.
import { forget, read, write } from "./runtime/storage.js";

/** By field: how it arrived, and what was typed. */
type Draft = Record<string, [arrived: string, typed: string]>;
type Field = HTMLInputElement | HTMLTextAreaElement;

const forms = [...document.querySelectorAll<HTMLFormElement>("form[data-draft]")];
let sent: EventTarget | null = null;

const keyOf = (form: HTMLFormElement) => `draft:${location.pathname}:${new URL(form.action).pathname}`;
const fieldsOf = (form: HTMLFormElement) => form.querySelectorAll<Field>("input[type=text][name], input:not([type])[name], textarea[name]");

for (const form of forms) bringBack(form);
document.addEventListener("submit", ({ target, defaultPrevented }) => {
  if (!defaultPrevented) sent = target;
});
addEventListener("pagehide", () => {
  for (const form of forms) keep(form);
  sent = null;
});

function bringBack(form: HTMLFormElement): void {
  const draft = read(keyOf(form));
  forget(keyOf(form));
  if (!isDraft(draft)) return;
  let isBack = false;
  for (const field of fieldsOf(form)) {
    const [arrived, typed] = draft[field.name] ?? [];
    // what was saved elsewhere since is newer
    if (typed === undefined || arrived !== field.defaultValue || field.value !== field.defaultValue) continue;
    field.value = typed;
    isBack = true;
  }
  if (!isBack) return;
  const note = Object.assign(document.createElement("p"), { className: "notice warn", textContent: "刚才写的还没有保存，已放回原处。" });
  note.setAttribute("role", "status");
  form.prepend(note);
}

function keep(form: HTMLFormElement): void {
  const draft: Draft = {};
  for (const field of fieldsOf(form)) {
    if (form !== sent && field.value !== field.defaultValue) draft[field.name] = [field.defaultValue, field.value];
  }
  if (Object.keys(draft).length > 0) write(keyOf(form), draft);
  else forget(keyOf(form));
}

function isDraft(value: unknown): value is Draft {
  const isPair = (pair: unknown) => Array.isArray(pair) && pair.length === 2 && pair.every((text) => typeof text === "string");
  return typeof value === "object" && value !== null && Object.values(value).every(isPair);
}
