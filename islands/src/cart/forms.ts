// The forms marked data-swap, and numbers of copies, which are kept as soon as they are changed.
import { loadSwap } from "./later.js";

/** Milliseconds of rest before a number is sent: fast clicks send once. */
const REST = 400;

const FIELDS = "[data-cart] .stepper input";
const timers = new Map<string, ReturnType<typeof setTimeout>>();

export function watchForms(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (event.defaultPrevented || !form.matches("[data-swap]")) return;
    event.preventDefault();
    clearTimeout(timers.get(form.id));
    send(form, event.submitter);
  });
  document.addEventListener("change", ({ target: field }) => {
    if (!(field instanceof HTMLInputElement) || !field.matches(FIELDS) || !field.form) return;
    const { id } = field.form;
    clearTimeout(timers.get(id));
    timers.set(id, setTimeout(() => sendNumber(id), REST));
  });
}

/** The buttons are for a page without this script. */
export function hideButtons(): void {
  for (const button of document.querySelectorAll<HTMLElement>("[data-cart] .stepper button")) button.hidden = true;
}

function sendNumber(id: string): void {
  // the cart may have been written anew since
  const field = document.querySelector<HTMLInputElement>(`${FIELDS}[form="${id}"]`);
  if (field?.form && field.value !== field.defaultValue) send(field.form, field);
}

function send(form: HTMLFormElement, control: HTMLElement | null): void {
  // without the script the browser sends it
  const submit = () => form.submit();
  loadSwap().then((swap) => (swap ? swap.send(form.id, control) : submit()), submit);
}
