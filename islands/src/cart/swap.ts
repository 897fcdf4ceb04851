// Changes of the cart without leaving it: the answer's content takes the place of the page's. Loaded when there is one.
import { expectCartInfo, forgetCartInfo } from "../print-options/cartInfo.js";
import { keepFocus } from "../runtime/focus.js";
import type { Answer } from "../runtime/http/client.js";
import { forms } from "../runtime/http/clients.js";
import { HttpError } from "../runtime/http/error.js";
import { complain } from "../runtime/problem.js";
import { toast } from "../runtime/toasts.js";

export { expectCartInfo };

/** What the page shows of the cart outside its own content. */
const ELSEWHERE = [".cart-link", ".tabs a[href$='/shopping/cart']"];

/** One after the other, so that the last answer knows of every change. */
let queue: Promise<void> = Promise.resolve();
const waiting = new Set<string>();

/** Sends a form when its turn comes, with what it holds then. */
export function send(id: string, control: HTMLElement | null): void {
  if (waiting.has(id)) return;
  waiting.add(id);
  control?.setAttribute("aria-busy", "true");
  enqueue(async () => {
    waiting.delete(id);
    const form = document.getElementById(id);
    if (form instanceof HTMLFormElement) await inPlace(form);
    control?.removeAttribute("aria-busy");
  });
}

/** Shows the line that the dialog has kept. */
export function showSaved(): void {
  enqueue(async () => {
    try {
      arrive(await forms.get(location.pathname, {}, { accept: "text/html" }));
      toast("已更新");
    } catch (error) {
      complain(error);
    }
  });
}

function enqueue(task: () => Promise<void>): void {
  queue = queue.then(task).catch(reportError);
}

/** What an answer is the answer to. */
interface Sent {
  form: string;
  fields: URLSearchParams;
}

async function inPlace(form: HTMLFormElement): Promise<void> {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") fields.append(name, value);
  try {
    arrive(await forms.post(form.action, fields, { accept: "text/html" }), { form: form.id, fields });
  } catch (error) {
    // a refused form comes back with its reasons
    if (error instanceof HttpError && error.status === 422) show(error.body, { form: form.id, fields });
    else complain(error);
  }
}

/** The cart is shown here; anything else, such as the sign-in page, is visited. */
function arrive({ body, url }: Answer, sent?: Sent): void {
  if (new URL(url, location.href).pathname === location.pathname) show(body, sent);
  else location.assign(url);
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
    const field = next.querySelector<HTMLInputElement>(`[form="${form}"][name=${old.name}]`);
    if (field && old.value !== answered) field.value = old.value;
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
