// Turning pages without leaving: the next page's document is fetched while this one is read, and takes its place at once.
import { isFrugal } from "../runtime/frugal.js";

/** A page as it was fetched. */
interface Fetched {
  main: HTMLElement;
  /** What counts its reading; nothing where nobody does. */
  counted: Element | null;
  title: string;
}

/** Pages that are held ready; a book is read forwards, and seldom back. */
const MOST = 6;

export class Pages {
  private readonly ready = new Map<string, Promise<Fetched | undefined>>();

  /** The address of the page before or after, as the links of one say. */
  neighbour(main: HTMLElement, rel: "next" | "prev"): string | undefined {
    const links = [...main.querySelectorAll<HTMLAnchorElement>(`.turns a[rel=${rel}]`)];
    // of two pages side by side and one alone, the links that are shown count
    const shown = links.find((link) => !link.isConnected || link.getClientRects().length > 0) ?? links[0];
    return shown?.getAttribute("href") ?? undefined;
  }

  /** Fetches a page's document, and its picture, which the browser keeps. */
  fetch(address: string): Promise<Fetched | undefined> {
    const known = this.ready.get(address);
    if (known) return known;
    const asked = load(address);
    this.ready.set(address, asked);
    for (const old of this.ready.keys()) if (this.ready.size > MOST) this.ready.delete(old);
    return asked;
  }

  /** After the current page's picture has arrived: the next two pages and the one before, where nobody counts bytes. */
  async prepare(main: HTMLElement): Promise<void> {
    if (isFrugal()) return;
    const picture = main.querySelector<HTMLImageElement>(".page img");
    if (picture && !picture.complete) await new Promise((done) => picture.addEventListener("load", done, { once: true }));
    const next = await this.warm(this.neighbour(main, "next"));
    if (next) await this.warm(this.neighbour(next.main, "next"));
    await this.warm(this.neighbour(main, "prev"));
  }

  private async warm(address: string | undefined): Promise<Fetched | undefined> {
    if (!address) return undefined;
    const fetched = await this.fetch(address);
    const picture = fetched?.main.querySelector<HTMLImageElement>(".page img");
    if (picture) {
      const copy = new Image();
      copy.sizes = picture.sizes;
      copy.srcset = picture.srcset;
      await copy.decode().catch(() => undefined);
    }
    return fetched;
  }
}

async function load(address: string): Promise<Fetched | undefined> {
  try {
    const answer = await fetch(address, { headers: { accept: "text/html", purpose: "prefetch" } });
    if (!answer.ok) return undefined;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const main = page.querySelector<HTMLElement>("main[data-direction]");
    const counted = page.querySelector("[data-counted]");
    return main?.querySelector(".leaf") ? { main, counted, title: page.title } : undefined;
  } catch {
    return undefined;
  }
}
