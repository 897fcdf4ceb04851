// The same control in another rendering of the same content.

const MARKS = ["id", "form", "name", "href"];

/**
 * Remembers which control inside `root` has the focus. The returned function gives it to the same one inside what took
 * `root`'s place, and says whether the focus needs no other home.
 */
export function keepFocus(root: Element): (replacement: Element) => boolean {
  const old = document.activeElement;
  if (!old || old === root || !root.contains(old)) return () => true;
  const selector = selectorOf(old);
  const words = old.textContent;
  const range = old instanceof HTMLTextAreaElement ? ([old.selectionStart, old.selectionEnd] as const) : undefined;
  return (replacement) => {
    const controls = [...replacement.querySelectorAll<HTMLElement>(selector)];
    // without a mark, another control of the same kind may do something else
    const marked = selector === old.localName ? undefined : controls[0];
    const control = controls.find(({ textContent }) => textContent === words) ?? marked;
    control?.focus({ preventScroll: true });
    if (range && control instanceof HTMLTextAreaElement) control.setSelectionRange(...range);
    return control !== undefined && document.activeElement === control;
  };
}

/** What a control is called by: its kind, name and target, and its value where several share a name. */
function selectorOf(control: Element): string {
  const choice = control.matches("[type=radio], [type=checkbox]");
  const attributes = choice ? [...MARKS, "value"] : MARKS;
  const marks = attributes.map((name) => {
    const value = control.getAttribute(name);
    return value === null ? "" : `[${name}="${CSS.escape(value)}"]`;
  });
  return control.localName + marks.join("");
}
