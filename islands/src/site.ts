// Every page: the progress bar of each navigation, and whose page it is. The page works without it.
import NProgress from "nprogress";
import { isAnothers, note } from "./page/here.js";
import { forgetKept } from "./page/kept.js";
import { Progress, leaves, sends } from "./page/navigation.js";
import { renew } from "./page/once.js";

NProgress.configure({
  speed: 1000,
  trickleSpeed: 200,
  minimum: 0.3,
  showSpinner: false,
  // no role that ARIA does not know, and no style attribute: the policy forbids both a stray style and a stray role
  template: '<div class="bar"></div>',
  barSelector: ".bar",
});

const progress = new Progress(NProgress);

// This page is the end of the navigation that led here, whichever button started it.
if (document.readyState !== "complete") progress.start();
// also fires when the back button brings a page back from the browser's memory, with its bar still running
addEventListener("pageshow", ({ persisted }) => {
  progress.finish();
  if (persisted && !leaveIfAnothers()) renew(document);
});

const mark = document.documentElement.getAttribute("data-here");

/** Asks for the page anew where the browser kept it for somebody who is not here any more; whether it did. */
function leaveIfAnothers(): boolean {
  try {
    if (!isAnothers(mark, localStorage)) return false;
  } catch {
    return false; // a storage that is switched off knows nobody
  }
  document.documentElement.hidden = true;
  location.reload();
  return true;
}

// what the back button brings may be a page that was kept; any other has just come
const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
const isOld = navigation?.type === "back_forward";
if (!isOld || !leaveIfAnothers()) {
  if (isOld) renew(document);
  try {
    note(mark, localStorage);
  } catch {
    // likewise
  }
}

// On window, so that whatever handles a click or a form on the document itself comes first.
addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!link) return;
  const click = {
    button: event.button,
    modified: event.ctrlKey || event.metaKey || event.shiftKey || event.altKey,
    prevented: event.defaultPrevented,
  };
  const target = { href: link.href, target: link.target, download: link.hasAttribute("download") };
  if (leaves(click, target, location.href)) progress.start();
});

addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  const button = event.submitter;
  const method = button?.getAttribute("formmethod") ?? form.getAttribute("method") ?? "get";
  const target = button?.getAttribute("formtarget") ?? form.getAttribute("target") ?? "";
  if (["/manager/logout", "/manager/userInfo/closing"].includes(form.getAttribute("action") ?? "")) forgetKept();
  if (sends(event.defaultPrevented, method.toLowerCase(), target)) progress.start();
});
