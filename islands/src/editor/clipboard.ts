// Cutting and pasting: things keep their place, on whichever page they are pasted; words of others become a text, plain.
import * as actions from "./actions.js";
import type { Element } from "./document.js";
import { plain } from "./edit.js";
import type { Editor } from "./Model.js";

const MARK = "bindery-elements:";

/** What was copied here last, for browsers that keep other types from pages. */
let kept: { text: string; elements: Element[] } | undefined;

export function copy(editor: Editor, event?: ClipboardEvent): boolean {
  const elements = editor.selected.peek().map(({ value }) => value.peek());
  if (elements.length === 0) return false;
  const words = elements.flatMap((element) => (element.kind === "text" ? [element.text] : [])).join("\n");
  const text = words || `${MARK}${elements.length}`;
  kept = { text, elements };
  const json = JSON.stringify(elements);
  if (event?.clipboardData) {
    event.clipboardData.setData("text/plain", text);
    event.clipboardData.setData("text/html", `<meta name="bindery" content="${encodeURIComponent(json)}">`);
    event.preventDefault();
  }
  editor.say(`已拷贝 ${elements.length} 件`);
  return true;
}

export function cut(editor: Editor, event?: ClipboardEvent): void {
  if (copy(editor, event)) actions.remove(editor);
}

export function paste(editor: Editor, event?: ClipboardEvent): void {
  const data = event?.clipboardData;
  const files = [...(data?.files ?? [])].filter((file) => file.type.startsWith("image/"));
  if (files.length > 0) {
    event?.preventDefault();
    void import("./uploading.js").then(({ upload }) => upload(editor, files));
    return;
  }
  const text = data?.getData("text/plain") ?? "";
  const elements = within(data?.getData("text/html") ?? "") ?? (!data || kept?.text === text ? kept?.elements : undefined);
  const words = plain(text);
  const page = editor.page;
  if (!page) return;
  event?.preventDefault();
  if (elements) {
    const isTaken = elements.some((element) => page.elements.peek().some((other) => same(other.value.peek(), element)));
    // on its own page it would hide under its model
    const shift = isTaken ? 5 : 0;
    const placed = elements.map((element) => ({ ...element, frame: { ...element.frame, x: element.frame.x + shift, y: element.frame.y + shift } }));
    actions.add(editor, page, placed, "粘贴");
  } else if (words.trim()) {
    const { trim } = editor.book.document;
    const frame = { x: trim.width * 0.2, y: trim.height * 0.4, width: trim.width * 0.6, height: trim.height * 0.2 };
    actions.add(editor, page, [{ kind: "text", id: "", role: "body", text: words, frame }], "粘贴");
  }
}

const same = (one: Element, other: Element) => one.kind === other.kind && one.frame.x === other.frame.x && one.frame.y === other.frame.y;

function within(html: string): Element[] | undefined {
  const found = /<meta name="bindery" content="([^"]+)">/.exec(html)?.[1];
  if (!found) return undefined;
  try {
    return JSON.parse(decodeURIComponent(found)) as Element[];
  } catch {
    return undefined;
  }
}
