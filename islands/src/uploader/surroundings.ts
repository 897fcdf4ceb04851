// What the page around the uploader does with its photos.
import { effect, signal } from "@preact/signals-react";
import { sayBeside } from "../page/beside.js";
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

/** What a form says when this button sends it. */
function sent(form: HTMLFormElement, button: HTMLElement | null | undefined): FormData {
  const data = new FormData(form);
  if (button instanceof HTMLButtonElement && button.name) data.append(button.name, button.value);
  return data;
}

/**
 * A form that is sent while photos are on their way waits for them, or only for their small copies: then it is sent beside
 * the page, which goes on sending. Returns how to stop that.
 */
export function holdForm(form: HTMLFormElement | null, model: Uploads): () => void {
  if (!form) return () => undefined;
  /** What it was sent with; undefined while nobody sent it. */
  const waiting = signal<HTMLElement | null | undefined>(undefined);
  /**
   * The server wants something else first, which only the whole page can say. What is saved over a revision is always sent by
   * the page: afterwards its form would name an old one.
   */
  const hasRevision = form.elements.namedItem("revision") !== null;
  const isPlain = signal(hasRevision);
  const isBeside = signal(false);
  /** Refused photos that somebody was made to look at. */
  let shown = 0;

  const hold = (event: SubmitEvent) => {
    const made = model.made.peek();
    if (model.isOver.peek() && !made) return;
    event.preventDefault();
    if (made) {
      if (model.isOver.peek()) location.assign(made.address);
      return;
    }
    waiting.value = event.submitter;
    event.submitter?.setAttribute("aria-busy", "true");
  };
  const release = () => {
    const button = waiting.peek();
    button?.removeAttribute("aria-busy");
    sayBeside(button, "");
    waiting.value = undefined;
    return button;
  };
  /** What is asked for now is another work. */
  const change = () => {
    model.made.value = null;
    isPlain.value = hasRevision;
  };
  const sendBeside = async () => {
    try {
      const body = sent(form, waiting.peek());
      // what it would ask was said beside the photos as they came
      body.delete("asks");
      const answer = await fetch(form.action, { method: "POST", body, headers: { accept: "text/html" } });
      if (!answer.redirected) isPlain.value = true;
      else if (new URL(answer.url).pathname.startsWith("/manager/opus/")) {
        release();
        model.made.value = { address: answer.url, photos: body.getAll("photo").map(String) };
        // the originals may have been quicker than the answer
        if (model.isOver.peek() && model.lacking.peek().length === 0) location.assign(answer.url);
      } else {
        // it asks who this is
        release();
        model.stop(401);
      }
    } catch {
      release();
      model.stop(0);
    } finally {
      isBeside.value = false;
    }
  };

  /** What a pressed button waits for. */
  const tell = effect(() => {
    const [button, isSent] = [waiting.value, isBeside.value];
    const [problem, isPaused] = [model.problem.value, model.isPaused.value];
    const [over, shown] = [model.filesOver.value, model.shown.value];
    const left = model.items.value.length - (isPlain.value ? over : shown);
    if (button === undefined) return;
    const name = button?.textContent.trim() ?? "";
    if (problem) sayBeside(button, `上传停下了，还差 ${left} 张；接上以后自动${name}`);
    else if (isPaused) sayBeside(button, `上传暂停着，还差 ${left} 张；按“继续”，传好就自动${name}`);
    else if (isSent || left === 0) sayBeside(button, "正在排版…");
    else sayBeside(button, `等 ${left} 张照片传好，就自动${name}，不用再按`);
  });
  form.addEventListener("submit", hold);
  form.addEventListener("input", change);
  const stop = effect(() => {
    const isReady = model.isOver.value || (model.isShown.value && !isPlain.value);
    if (waiting.value === undefined || isBeside.value || !isReady) return;
    const refused = model.items.peek().filter((item) => item.state.peek() === "refused").length;
    if (refused > shown) {
      shown = refused;
      release();
    } else if (model.isOver.peek()) {
      const button = release();
      // after the photos' fields are in the form
      setTimeout(() => form.requestSubmit(button));
    } else {
      isBeside.value = true;
      setTimeout(() => void sendBeside());
    }
  });
  return () => {
    form.removeEventListener("submit", hold);
    form.removeEventListener("input", change);
    tell();
    stop();
  };
}
