// Short messages that leave the page in place, read out politely; failures at once.

interface Kind {
  /** A failure: read out at once, and stays longer. */
  bad?: boolean;
  /** A way on, opened beside this page so that nothing typed is lost, unless it is to take its place. */
  link?: { href: string; text: string; here?: boolean };
  /** Something that can be done about it here. */
  act?: { text: string; run: () => void };
  /** The page says it, too, and is read out itself. */
  silent?: boolean;
}

/** Shows a message; the same message again takes its own place. Answers what takes it away. */
export function toast(text: string, { bad = false, link, act, silent = false }: Kind = {}): () => void {
  const region = regionOf(document.querySelector("dialog[open]") ?? document.body);
  for (const other of region.children) if (other.firstChild?.textContent === text) other.remove();

  const words = document.createElement("span");
  if (!silent) words.setAttribute("role", bad ? "alert" : "status");
  const close = Object.assign(document.createElement("button"), { type: "button", textContent: "×" });
  close.setAttribute("aria-label", "关闭提示");
  const box = Object.assign(document.createElement("div"), { className: bad ? "toast bad" : "toast" });
  box.append(words);
  if (link) {
    const target = link.here ? "" : "_blank";
    box.append(Object.assign(document.createElement("a"), { href: link.href, target, textContent: link.text }));
  }
  if (act) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "act", textContent: act.text });
    button.onclick = () => {
      box.remove();
      act.run();
    };
    box.append(button);
  }
  box.append(close);
  close.onclick = () => box.remove();
  region.append(box);
  // a live region is read out when it changes, not when it appears
  setTimeout(() => (words.textContent = text), 50);

  // whoever is reading it, or about to press something in it, keeps it
  let timer: ReturnType<typeof setTimeout>;
  const leave = () => (timer = setTimeout(() => box.remove(), bad ? 12_000 : 6000));
  const stay = () => clearTimeout(timer);
  for (const event of ["pointerenter", "focusin"]) box.addEventListener(event, stay);
  for (const event of ["pointerleave", "focusout"]) box.addEventListener(event, leave);
  leave();
  return () => box.remove();
}

/** Everything outside an open dialog is inert, so its messages stand inside. */
function regionOf(parent: Element): Element {
  const existing = parent.querySelector(":scope > .toasts");
  if (existing) return existing;
  const region = Object.assign(document.createElement("div"), { className: "toasts" });
  parent.append(region);
  return region;
}
