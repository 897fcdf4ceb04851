// A field whose lines end where the press ends them. It holds plain text: the end of a line is a style of its last
// character, so that nothing has to be taken out of what is typed.
import { plain } from "./edit.js";

/** Whether this browser edits plain text in any element. */
export function canTypeset(): boolean {
  const probe = document.createElement("div");
  try {
    probe.contentEditable = "plaintext-only";
  } catch {
    return false;
  }
  return probe.contentEditable === "plaintext-only";
}

/**
 * Where lines end before the text does, in UTF-16 units: what is set on lines, found in the text. White space between two of
 * them belongs to the first. `undefined` where they are not the text's.
 */
export function endsOf(text: string, lines: readonly string[]): number[] | undefined {
  const ends: number[] = [];
  let at = 0;
  for (const line of lines) {
    const words = line.trim();
    const from = text.indexOf(words, at);
    if (from < 0 || text.slice(at, from).trim() !== "") return undefined;
    at = from + words.length;
    while (text[at] === " " || text[at] === "\u3000") at += 1;
    // a line that its writer ended needs no other end
    if (at < text.length && text[at] !== "\n" && words !== "") ends.push(at);
  }
  return text.slice(at).trim() === "" ? ends : undefined;
}

/** What is typed in a row within so many ms is undone together. */
const TOGETHER_MS = 500;

interface Moment {
  text: string;
  caret: number;
}

export class Lines {
  readonly #node: HTMLElement;
  #past: Moment[] = [];
  #future: Moment[] = [];
  /** What stands there, as of the last input. */
  #now: Moment;
  #at = 0;

  constructor(node: HTMLElement, text: string) {
    this.#node = node;
    this.#now = { text, caret: text.length };
    this.#write(text, []);
    this.#select(text.length);
  }

  get text(): string {
    const text = textIn(this.#node);
    // a line that is begun at the end is only seen with another character on it
    return text.endsWith("\n") ? text.slice(0, -1) : text;
  }

  /** Something was typed; answers the text. */
  typed(): string {
    const text = plain(this.text);
    const caret = this.#caret;
    if (text !== this.#now.text) {
      const at = performance.now();
      if (at - this.#at > TOGETHER_MS) this.#past.push(this.#now);
      this.#at = at;
      this.#future = [];
    }
    this.#now = { text, caret };
    // more than a text may have
    if (text.length < this.text.length) this.#show(this.#now);
    return text;
  }

  /** Puts words in the place of what is selected. */
  insert(words: string): string {
    const { text } = this;
    const [from, to] = this.#selected ?? [text.length, text.length];
    const after = text.slice(0, from) + words + text.slice(to);
    this.#show({ text: after, caret: from + words.length });
    return this.typed();
  }

  undo(): string {
    return this.#again(this.#past, this.#future);
  }

  redo(): string {
    return this.#again(this.#future, this.#past);
  }

  #again(from: Moment[], to: Moment[]): string {
    const moment = from.pop();
    if (moment) {
      to.push(this.#now);
      this.#now = moment;
      this.#at = 0;
      this.#show(moment);
    }
    return this.text;
  }

  /** Ends lines where the press ended them, if that was the text that stands there. */
  set(text: string, lines: readonly string[]): void {
    if (text !== this.text) return;
    const ends = endsOf(text, lines);
    // the browser's own measure is then only for what the press has not seen
    this.#node.toggleAttribute("data-set", ends !== undefined && lines.length > 0);
    if ((ends ?? []).join() === this.#ends.join()) return;
    const selected = this.#selected;
    this.#write(text, ends ?? []);
    if (selected) this.#select(...selected);
  }

  get #ends(): number[] {
    return [...this.#node.querySelectorAll(".end")].map((end) => {
      const before = document.createRange();
      before.selectNodeContents(this.#node);
      before.setEndAfter(end);
      return textIn(before.cloneContents()).length;
    });
  }

  #show({ text, caret }: Moment): void {
    this.#write(text, []);
    this.#select(caret);
  }

  #write(text: string, ends: readonly number[]): void {
    const parts: (string | Node)[] = [];
    let from = 0;
    for (const end of ends) {
      const line = Array.from(text.slice(from, end));
      const last = document.createElement("span");
      last.className = "end";
      last.textContent = line.pop() ?? "";
      parts.push(line.join(""), last);
      from = end;
    }
    parts.push(text.slice(from) + (text.endsWith("\n") ? "\n" : ""));
    this.#node.replaceChildren(...parts.filter((part) => part !== ""));
  }

  get #caret(): number {
    return this.#selected?.[1] ?? this.text.length;
  }

  /** From where to where in the text. */
  get #selected(): [number, number] | undefined {
    const selection = document.getSelection();
    if (!selection?.rangeCount) return undefined;
    const range = selection.getRangeAt(0);
    if (!this.#node.contains(range.commonAncestorContainer)) return undefined;
    const offset = (container: Node, at: number) => {
      const before = document.createRange();
      before.selectNodeContents(this.#node);
      before.setEnd(container, at);
      return Math.min(textIn(before.cloneContents()).length, this.text.length);
    };
    return [offset(range.startContainer, range.startOffset), offset(range.endContainer, range.endOffset)];
  }

  #select(from: number, to = from): void {
    const [start, end] = [this.#place(from), this.#place(to)];
    document.getSelection()?.setBaseAndExtent(...start, ...end);
  }

  /** A place in the text as the document knows it: at the beginning of a line rather than at the end of the one before. */
  #place(at: number): [Node, number] {
    const texts = document.createTreeWalker(this.#node, NodeFilter.SHOW_TEXT);
    let before = 0;
    let found: [Node, number] = [this.#node, 0];
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const { length } = (node as Text).data;
      if (at < before) break;
      if (at <= before + length) found = [node, at - before];
      before += length;
    }
    return found;
  }
}

function textIn(node: Node): string {
  if (node instanceof Text) return node.data;
  if (node instanceof HTMLBRElement) return "\n";
  return [...node.childNodes].map(textIn).join("");
}
