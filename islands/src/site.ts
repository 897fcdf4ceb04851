// Every page: the progress bar of each navigation, and whose page it is. The page works without it.
import NProgress from "nprogress";
import { isAnothers, isFetchedAhead, note, type Last } from "./page/here.js";
import { forgetKept } from "./page/kept.js";
import { Progress, leaves, sends } from "./page/navigation.js";

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
  // what the next page will need, now that this one has all that is its own
  const later = document.querySelector<HTMLTemplateElement>("[data-later]");
  later?.replaceWith(later.content);
  if (!persisted || !isAnothers(mark, localStorage as Last)) return;
  document.body.hidden = true;
  location.reload();
});

const mark = document.body.dataset.here;
try {
  // fetched when its link was pressed, by somebody who is not here any more
  if (isFetchedAhead() && isAnothers(mark, localStorage as Last)) {
    document.body.hidden = true;
    location.reload();
  } else note(mark, localStorage as Last);
} catch {
  // a storage that is switched off knows nobody
}

// On window, so that whatever handles a click or a form on the document itself comes first.
addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!link) return;
  const target = { href: link.href, target: link.target, download: link.hasAttribute("download") };
  if (leaves(event, target, location.href)) progress.start();
});

addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  const button = event.submitter;
  const method = button?.getAttribute("formmethod") ?? form.getAttribute("method") ?? "get";
  const target = button?.getAttribute("formtarget") ?? form.getAttribute("target") ?? "";
  if (["/manager/logout", "/manager/userInfo/closing"].includes(form.getAttribute("action") ?? "")) forgetKept();
  if (sends(event.defaultPrevented, method.toLowerCase(), target)) progress.start();
});
