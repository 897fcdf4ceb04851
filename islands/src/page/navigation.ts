// When the progress bar of a navigation starts and finishes. No DOM lookups: values in, calls out.

/** The part of nprogress that navigation needs. */
export interface Bar {
  start(): void;
  done(): void;
}

/** The facts about a click that decide whether it leaves the page. */
export type Click = Pick<MouseEvent, "button" | "defaultPrevented" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/** The facts about a link: its absolute address, `target` and whether it is a download. */
export interface Link {
  href: string;
  target: string;
  download: boolean;
}

/** Whether following the link replaces the page at `here`. */
export function leaves(click: Click, link: Link, here: string): boolean {
  if (click.defaultPrevented || click.button || click.ctrlKey || click.metaKey || click.shiftKey || click.altKey) return false;
  if (link.download || !sameTab(link.target) || !/^https?:/.test(link.href)) return false;
  const [page] = here.split("#");
  return !(link.href.includes("#") && link.href.split("#")[0] === page);
}

/** Whether sending the form replaces the page. `method` and `target` count the submit button's own. */
export function sends(prevented: boolean, method: string, target: string): boolean {
  return !prevented && method !== "dialog" && sameTab(target);
}

function sameTab(target: string): boolean {
  return /^(_self|_top|_parent)?$/.test(target);
}

/** One bar for one page: however many things start it, it starts once and finishes once. */
export class Progress {
  #running = false;

  constructor(private readonly bar: Bar) {}

  start(): void {
    if (!this.#running) this.bar.start();
    this.#running = true;
  }

  finish(): void {
    if (this.#running) this.bar.done();
    this.#running = false;
  }
}
