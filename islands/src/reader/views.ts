// How the pages are shown: one or two side by side, and in the whole screen. The buttons are here because only a script
// can do what they say.
import { read, write } from "../runtime/storage.js";

const CURL = "read:curl";
const root = document.documentElement;
/** Where two pages have room, as the styles have it. */
const wide = matchMedia("(min-width: 64em) and (orientation: landscape)");

function button(text: string, press: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", press);
  return made;
}

/** Puts the buttons into the bar; once, since the bar stays when pages are turned. */
export function addViews(): void {
  const ways = document.querySelector(".ways");
  if (!ways || !document.querySelector(".leaf")) return;
  if (document.querySelector(".leaf:not(.run)")) {
    // a newspaper has its headlines beside its page, until somebody likes two pages better
    const isPaper = !!document.querySelector("main.paper");
    const name = isPaper ? "read:pages:paper" : "read:pages";
    const kept = read(name);
    root.dataset.pages = kept === "single" || kept === "double" ? kept : isPaper ? "single" : "double";
    const other = () => (root.dataset.pages === "single" ? "双页" : "单页");
    const pages = button(other(), () => {
      root.dataset.pages = root.dataset.pages === "single" ? "double" : "single";
      write(name, root.dataset.pages);
      pages.textContent = other();
    });
    const fit = () => { pages.hidden = !wide.matches; };
    wide.addEventListener("change", fit);
    fit();
    ways.append(pages);
  }
  // a page slides by itself; who likes it sees it turned over, and nothing moves where nothing should
  if (document.querySelector(".leaf:not(.run)") && "startViewTransition" in document && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
    if (read(CURL) === true) root.dataset.curl = "";
    const name = () => ("curl" in root.dataset ? "平移" : "卷页");
    const curl = button(name(), () => {
      if ("curl" in root.dataset) delete root.dataset.curl;
      else root.dataset.curl = "";
      write(CURL, "curl" in root.dataset);
      curl.textContent = name();
    });
    ways.append(curl);
  }
  if (document.fullscreenEnabled) {
    const full = button("全屏", () => {
      void (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen());
    });
    document.addEventListener("fullscreenchange", () => { full.textContent = document.fullscreenElement ? "退出全屏" : "全屏"; });
    ways.append(full);
  }
}
