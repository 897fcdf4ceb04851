// What the page around the uploader does with its photos.
import { effect } from "@preact/signals-react";
import type { Uploads } from "./Model.js";

/** Shows the library anew: how much there is, and every photo under its month. */
export async function refreshLibrary(): Promise<void> {
  const answer = await fetch("/manager/photos", { headers: { accept: "text/html" } });
  if (!answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const id of ["room", "library"]) {
    const [old, next] = [document.getElementById(id), fresh.getElementById(id)];
    if (old && next) old.replaceWith(next);
  }
}

/** A form that is sent while photos are on their way waits for them. Returns how to stop that. */
export function holdForm(form: HTMLFormElement | null, model: Uploads): () => void {
  if (!form) return () => undefined;
  let waiting: HTMLElement | null | undefined;
  const hold = (event: SubmitEvent) => {
    if (model.isOver.peek()) return;
    event.preventDefault();
    waiting = event.submitter;
    waiting?.setAttribute("aria-busy", "true");
  };
  form.addEventListener("submit", hold);
  const stop = effect(() => {
    if (!model.isOver.value || waiting === undefined) return;
    const button = waiting;
    waiting = undefined;
    button?.removeAttribute("aria-busy");
    // what was refused is looked at first
    if (model.items.peek().some((item) => item.state.peek() === "refused")) return;
    // after the photos' fields are in the form
    setTimeout(() => form.requestSubmit(button));
  });
  return () => {
    form.removeEventListener("submit", hold);
    stop();
  };
}
