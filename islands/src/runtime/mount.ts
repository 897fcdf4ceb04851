// The part of the runtime that knows React. Loaded with the first island.
import "./base.js";
import type { ReactElement } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { keepFocus } from "./focus.js";

/**
 * Puts a drawn island in the place of its host's HTML, in one go: what was typed there is read while the island renders,
 * and the focus stays on the same control. Returns how to take it away again, which leaves the HTML.
 */
export function mount(host: HTMLElement, element: ReactElement): () => void {
  const html = [...host.childNodes];
  const restoreFocus = keepFocus(host);
  const bringBack = () => host.replaceChildren(...html);
  const root = createRoot(host, {
    onUncaughtError(error) {
      // React empties the host first
      queueMicrotask(bringBack);
      reportError(error);
    },
  });
  flushSync(() => root.render(element));
  restoreFocus(host);
  return () => {
    root.unmount();
    bringBack();
  };
}
