// Changes of the cart without leaving it: the answer's content takes the place of the page's. Loaded when there is one.
import { expectCartInfo, forgetCartInfo } from "../print-options/cartInfo.js";
// which the cart has already, in one file with what is needed here
import "../runtime/element.js";
import { keepFocus } from "../runtime/focus.js";
import type { Answer } from "../runtime/http/client.js";
import { forms } from "../runtime/http/clients.js";
import { HttpError } from "../runtime/http/error.js";
import { complain } from "../runtime/problem.js";
import { toast } from "../runtime/toasts.js";

export { expectCartInfo };

/** What the page shows of the cart outside its own content. */
const ELSEWHERE = [".cart-link", ".tabs a[href$='/shopping/cart']"];

/** Sends a form. Returns whether the cart shows what it changed. */
export async function send(form: HTMLFormElement): Promise<boolean> {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") fields.append(name, value);
  const sent = { form: form.id, fields };
  forgetCartInfo();
  try {
    return arrive(await forms.post(form.action, fields, { accept: "text/html" }), sent);
  } catch (error) {
    const status = error instanceof HttpError ? error.status : 0;
    if (status === 404) return await showGone();
    // a refused form comes back with its reasons
    if (error instanceof HttpError && status === 422) {
      show(error.body, sent);
    } else {
      keepFailed(form);
      complain(error);
    }
    return false;
  } finally {
    forgetCartInfo();
  }
}

/** Shows the line that the dialog has kept. */
export async function showSaved(): Promise<boolean> {
  try {
    const shown = arrive(await ask());
    // a dialog that is still open has its own words for it
    if (shown && !document.querySelector("dialog[open]")) toast("已更新");
    return shown;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const link = { href: location.pathname, text: "重新加载", here: true };
    toast("已保存，但购物车没能刷新", { bad: true, link });
    return false;
  }
}

/** Shows the cart without a line that another tab has removed. */
export async function showGone(): Promise<boolean> {
  toast("这一件已不在购物车里", { bad: true });
  try {
    arrive(await ask());
  } catch (error) {
    complain(error);
  }
  return false;
}

const ask = () => forms.get(location.pathname, {}, { accept: "text/html" });

/** What an answer is the answer to. */
interface Sent {
  form: string;
  fields: URLSearchParams;
}

/** A number that could not be sent stays, and has its button back to try again. */
function keepFailed(form: HTMLFormElement): void {
  for (const control of form.elements) {
    if (control instanceof HTMLInputElement) markFailed(control);
    else if (control instanceof HTMLButtonElement) control.hidden = false;
  }
}

function markFailed(field: HTMLInputElement): void {
  field.dataset.failed = "";
  field.setAttribute("aria-invalid", "true");
}

/** The cart is shown here; anything else, such as the sign-in page, is visited. Returns whether it is shown. */
function arrive({ body, url }: Answer, sent?: Sent): boolean {
  const isCart = new URL(url, location.href).pathname === location.pathname;
  if (isCart) show(body, sent);
  else location.assign(url);
  return isCart;
}

function show(html: string, sent?: Sent): void {
  const answer = new DOMParser().parseFromString(html, "text/html");
  const main = document.querySelector("main");
  const next = answer.querySelector("main");
  if (!main || !next) return;
  const restoreFocus = keepFocus(main);
  keepTyped(main, next, sent);
  keepPictures(main, next);
  main.replaceChildren(...next.childNodes);
  for (const place of ELSEWHERE) {
    document.querySelector(place)?.replaceChildren(...(answer.querySelector(place)?.childNodes ?? []));
  }
  forgetCartInfo();
  document.dispatchEvent(new Event("cart-shown"));
  if (!restoreFocus(main)) home(main, sent?.form.replace(/^\w+-/, "") ?? "").focus({ preventScroll: true });
}

/** A number that is typed but not sent yet is newer than the answer. */
function keepTyped(main: Element, next: Element, sent: Sent | undefined): void {
  for (const old of main.querySelectorAll<HTMLInputElement>("input[type=number][form]")) {
    const form = old.getAttribute("form") ?? "";
    const answered = sent?.form === form ? sent.fields.get(old.name) : old.defaultValue;
    const field = next.querySelector<HTMLInputElement>(`#${CSS.escape(old.id)}`);
    if (!field || old.value === answered) continue;
    field.value = old.value;
    if (sent?.form !== form && "failed" in old.dataset) markFailed(field);
  }
}

/** A picture that is already drawn stays, or it would flash. */
function keepPictures(main: Element, next: Element): void {
  const drawn = new Map([...main.querySelectorAll("img")].map((image) => [image.getAttribute("src"), image]));
  for (const image of next.querySelectorAll("img")) {
    const src = image.getAttribute("src");
    const same = drawn.get(src);
    if (!same || same.closest("template")) continue;
    drawn.delete(src);
    image.replaceWith(same);
  }
}

/** Where the focus goes when its control is gone: to the line that came back, or to what the page says. */
function home(main: HTMLElement, line: string): HTMLElement {
  const control = main.querySelector<HTMLElement>(`#line-${CSS.escape(line)} :is(input:enabled, a)`);
  if (control) return control;
  const notice = main.querySelector<HTMLElement>("#removed, #errors, .notice");
  if (notice) notice.tabIndex = -1;
  return notice ?? main;
}
