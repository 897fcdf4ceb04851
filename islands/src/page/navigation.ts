// When the progress bar of a navigation starts and finishes. No DOM lookups: values in, calls out.

/** The part of nprogress that navigation needs. */
export interface Bar {
  start(): void;
  done(): void;
}

/** The facts about a click that decide whether it leaves the page. */
export interface Click {
  button: number;
  modified: boolean;
  prevented: boolean;
}

/** The facts about a link: its absolute address, `target` and whether it is a download. */
export interface Link {
  href: string;
  target: string;
  download: boolean;
}

/** Whether following the link replaces the page at `here`. */
export function leaves(click: Click, link: Link, here: string): boolean {
  if (click.prevented || click.button !== 0 || click.modified) return false;
  if (link.download || !sameTab(link.target) || !/^https?:/.test(link.href)) return false;
  const [page] = here.split("#");
  return !(link.href.includes("#") && link.href.split("#")[0] === page);
}

/** Whether sending the form replaces the page. `method` and `target` count the submit button's own. */
export function sends(prevented: boolean, method: string, target: string): boolean {
  return !prevented && method !== "dialog" && sameTab(target);
}

function sameTab(target: string): boolean {
  return target === "" || target === "_self" || target === "_top" || target === "_parent";
}

/** One bar for one page: however many things start it, it starts once and finishes once. */
export class Progress {
  #running = false;

  constructor(private readonly bar: Bar) {}

  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.bar.start();
  }

  finish(): void {
    if (!this.#running) return;
    this.#running = false;
    this.bar.done();
  }
}
