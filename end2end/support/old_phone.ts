/**
 * Takes away from a page's browser what weixin's on Android (Chromium 107 to 126) and those of iOS 15 do not have. A browser of
 * today cannot be told to forget selectors: rules that use them are taken out of the styles, as such a browser drops them.
 */
export function forget(): void {
  const missing: [object, string[]][] = [
    [Document.prototype, ["startViewTransition"]],
    [HTMLElement.prototype, ["popover", "showPopover", "hidePopover", "togglePopover"]],
    [globalThis, ["requestIdleCallback", "OffscreenCanvas", "CompressionStream", "navigation", "scheduler"]],
    [AbortSignal, ["timeout", "any"]],
    [Array.prototype, ["toSorted", "toReversed", "toSpliced", "with"]],
    [Promise, ["withResolvers"]],
    [Object, ["groupBy"]],
  ];
  for (const [of, names] of missing) for (const name of names) Reflect.deleteProperty(of, name);

  const UNKNOWN = /:has\(|@view-transition|@starting-style/;
  const drop = (sheet: CSSStyleSheet | CSSGroupingRule) => {
    for (let at = sheet.cssRules.length - 1; at >= 0; at--) {
      const rule = sheet.cssRules[at];
      if (!rule) continue;
      const own = rule instanceof CSSStyleRule ? rule.selectorText : (rule.cssText.split("{")[0] ?? "");
      if (UNKNOWN.test(own)) sheet.deleteRule(at);
      else if (rule instanceof CSSGroupingRule) drop(rule);
    }
  };
  const dropped = new WeakSet<CSSStyleSheet>();
  const look = () => {
    for (const sheet of document.styleSheets) {
      if (dropped.has(sheet)) continue;
      dropped.add(sheet);
      drop(sheet);
    }
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
  addEventListener("load", look, true);
}

/** A phone in the hand. */
export const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;
