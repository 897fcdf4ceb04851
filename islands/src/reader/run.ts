// Pages one below the other: the next ones come when the last are about to be seen.
import type { Pages } from "./pages.js";

/** How far below the window the end may be, so that nobody waits for it. */
const AHEAD = "150%";

/** Goes on with a work that is read from top to bottom; `seen` is told which page is in view. */
export function goOn(pages: Pages, seen: (page: number) => void): void {
  const leaf = document.querySelector(".leaf.run");
  if (!leaf) return;
  const watcher = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) seen(Number((target as HTMLElement).dataset.page));
    }
  }, { rootMargin: "-45% 0px" });
  const watch = () => leaf.querySelectorAll("[data-page]").forEach((sheet) => watcher.observe(sheet));
  watch();
  let busy = false;
  const end = new IntersectionObserver(([entry]) => {
    if (entry?.isIntersecting && !busy) void more();
  }, { rootMargin: `0px 0px ${AHEAD}` });

  const more = async (): Promise<void> => {
    const main = document.querySelector<HTMLElement>("main[data-direction]");
    const address = main ? pages.neighbour(main, "next") : undefined;
    if (!main || !address?.match(/\/\d+/)) return;
    busy = true;
    const fetched = (await pages.fetch(address))?.main.cloneNode(true) as HTMLElement | undefined;
    busy = false;
    if (!fetched) return;
    leaf.append(...fetched.querySelectorAll(".leaf > .sheets"));
    const turns = document.querySelector(".turns");
    const next = fetched.querySelector(".turns");
    // back is where this page began
    const back = turns?.querySelector("[rel=prev]")?.cloneNode(true);
    if (back) next?.querySelector("[rel=prev]")?.replaceWith(back);
    main.append(...fetched.querySelectorAll(":scope > :is(.words, .more, .tobuy)"));
    if (turns && next) {
      end.unobserve(turns);
      turns.replaceWith(next);
      end.observe(next);
    }
    watch();
  };
  const turns = document.querySelector(".turns");
  if (turns) end.observe(turns);
}
