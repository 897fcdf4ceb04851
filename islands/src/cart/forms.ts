// The forms marked data-swap, and numbers of copies, which are kept as soon as they are changed.
import { loadSwap } from "./later.js";
import { enqueue, isBusy, settled } from "./queue.js";

/** Milliseconds of rest before a number is sent: fast clicks send once. */
const REST = 400;

const FIELDS = "[data-cart] .stepper input";
/** − and + beside a number, which send the cart's form where nobody listens. */
const STEPS = "[data-cart] .stepper button:is([name=less], [name=more])";
/** What sends a number that was typed. */
const SENDS = "[data-cart] .stepper button:not([name])";
const timers = new Map<string, ReturnType<typeof setTimeout>>();
/** Forms whose turn has not come yet: they are sent with what they hold then. */
const waiting = new Set<string>();
let isLeaving = false;

export function watchForms(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (event.defaultPrevented) return;
    if (form.matches("[data-swap]")) {
      event.preventDefault();
      send(form.id, event.submitter, () => true);
    } else if (form.matches("[data-cart]") && (isBusy() || unsent().length > 0)) {
      event.preventDefault();
      if (!isLeaving) void leave(event.submitter);
    }
  });
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest(STEPS) : null;
    const field = button?.parentElement?.querySelector("input");
    if (!field || event.defaultPrevented) return;
    event.preventDefault();
    if (button?.matches("[name=more]")) field.stepUp();
    else field.stepDown();
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });
  document.addEventListener("change", ({ target: field }) => {
    if (!(field instanceof HTMLInputElement) || !field.matches(FIELDS) || !field.form) return;
    const { id } = field.form;
    clearTimeout(timers.get(id));
    timers.set(id, setTimeout(() => flush(id), REST));
  });
}

/** Each number gets its line's own form, so that it can be sent alone. Without this script the cart's form keeps them all. */
export function adoptNumbers(): void {
  for (const control of document.querySelectorAll(`${FIELDS}, ${SENDS}`)) {
    const id = control.closest("li")?.id.replace("line-", "amount-");
    if (!id) continue;
    control.setAttribute("form", id);
    control.removeAttribute("formaction");
    if (control instanceof HTMLInputElement) control.name = "quantity";
  }
}

/** The buttons are for a page without this script, and for a number that could not be sent. */
export function hideButtons(): void {
  for (const button of document.querySelectorAll<HTMLElement>(SENDS)) {
    button.hidden = !button.parentElement?.querySelector("[data-failed]");
  }
}

/** Sends the typed number of a line, or of all lines, without waiting. */
export function flush(id?: string): void {
  for (const field of unsent(id)) if (field.form) send(field.form.id, field, () => unsent(field.form?.id).length > 0);
}

/** What the field of a line holds. */
export function typedNumber(id: string): string | undefined {
  return fields(id)[0]?.value;
}

const fields = (id?: string) =>
  [...document.querySelectorAll<HTMLInputElement>(FIELDS)].filter((field) => !id || field.getAttribute("form") === id);

/** A refused number looks like the server's own. */
const unsent = (id?: string) =>
  fields(id).filter((field) => field.value !== field.defaultValue || field.matches("[aria-invalid=true]"));

function send(id: string, control: HTMLElement | null, isNeeded: () => boolean): void {
  clearTimeout(timers.get(id));
  if (waiting.has(id)) return;
  waiting.add(id);
  control?.setAttribute("aria-busy", "true");
  enqueue(async () => {
    const swap = await loadSwap().catch(() => undefined);
    waiting.delete(id);
    // the cart may have been written anew since
    const form = document.getElementById(id);
    let done = true;
    if (form instanceof HTMLFormElement && isNeeded()) {
      done = (await swap?.send(form)) ?? false;
      // without the script the browser sends it
      if (!swap) form.submit();
    }
    control?.removeAttribute("aria-busy");
    return done;
  });
}

/** Goes on to where a button leads once the cart is what it shows: to the order, or, by Enter in a field, to the cart. */
async function leave(submitter: HTMLElement | null): Promise<void> {
  isLeaving = true;
  submitter?.setAttribute("aria-busy", "true");
  flush();
  const done = await settled();
  isLeaving = false;
  submitter?.removeAttribute("aria-busy");
  const which = submitter?.matches(".actionbar .primary") ? ".actionbar .primary" : "[data-recount]";
  if (done) document.querySelector<HTMLElement>(`[data-cart] ${which}`)?.click();
  else document.querySelector<HTMLElement>(`${FIELDS}[aria-invalid=true]`)?.focus();
}
