// What the themes say, as styles: for drafts that stand in the place of the press's pictures for a moment.
import type { CSSProperties } from "react";
import type { EditorLook, EditorRole } from "../generated/works.js";
import type { Border, Page, Size, TextElement } from "./document.js";
import type { Editor } from "./Model.js";
import type { PageLook, PageModel } from "./Book.js";

/** A step of a text's size (`TextBlock::scale`). */
const STEP = 7 / 6;
const FALLBACK: EditorRole = { font: "sans", size: 3.5, bold: false, colour: "#333333", tracking: 0, indent: 0, stretch: 0.35, pitch: 1.7, gap: 0, align: "left" };

export function lookOf(editor: Editor, look: PageLook): EditorLook | undefined {
  return editor.looks.get(look.theme ?? editor.book.document.theme);
}

/** The colour of the paper. */
export function paperOf(editor: Editor, page: Pick<Page, "ground" | "background" | "theme">): string {
  const look = lookOf(editor, page);
  return page.background ?? look?.[page.ground ?? "paper"] ?? "#ffffff";
}

/** Whether words take their light colour: on the theme's deep ground. */
const isDeep = (page: PageLook) => page.background === undefined && page.ground === "deep";

/** A colour of an element, one of the theme's by its name or any. */
export function inkOf(editor: Editor, page: PageLook, colour: string): string {
  if (colour.startsWith("#")) return colour;
  const look = lookOf(editor, page);
  if (!look) return "#333333";
  if (isDeep(page) && colour !== "paper") return colour === "accent" ? look.accentOnDeep : look.light;
  switch (colour) {
    case "strong":
      return look.roles.title?.colour ?? "#333333";
    case "quiet":
      return look.roles.caption?.colour ?? "#666666";
    case "accent":
      return look.accent;
    case "light":
      return look.light;
    case "paper":
      return paperOf(editor, page);
    default:
      return look.roles.body?.colour ?? "#333333";
  }
}

/** Big pages carry bigger titles (`scale-of` in press.typ). */
function stretched({ width, height }: Size, stretch: number): number {
  const size = Math.min(Math.max(Math.min(width, height) / 200, 0.5), 1.8);
  return 1 + (size - 1) * stretch;
}

const roleOf = (editor: Editor, page: PageModel, { role }: TextElement) => lookOf(editor, page.look.peek())?.roles[role] ?? FALLBACK;

/** Which edge the lines of a text keep to. */
export const alignOf = (editor: Editor, page: PageModel, text: TextElement) => text.align ?? roleOf(editor, page, text).align;

/** How a text looks before the press has set it, at so many pixels for a millimetre. */
export function textStyle(editor: Editor, page: PageModel, text: TextElement, scale: number): CSSProperties {
  const pageLook = page.look.peek();
  const look = lookOf(editor, pageLook);
  const role = roleOf(editor, page, text);
  const size = role.size * stretched(editor.book.document.trim, role.stretch) * STEP ** (text.size ?? 0) * scale;
  const own = isDeep(pageLook) && look ? look.light : role.colour;
  return {
    fontFamily: (text.font ? text.font === "sans" : role.font.includes("Sans")) ? "var(--font)" : "var(--song)",
    fontSize: size,
    fontWeight: (text.weight ?? (role.bold ? "bold" : "regular")) === "bold" ? 700 : 400,
    lineHeight: role.pitch,
    letterSpacing: `${role.tracking}em`,
    textIndent: `${role.indent}em`,
    textAlign: alignOf(editor, page, text) as CSSProperties["textAlign"],
    fontVariantEmoji: editor.book.document.emoji === "colour" ? "normal" : "text",
    color: text.colour ? inkOf(editor, pageLook, text.colour) : own,
    // the first line begins with its letters, not with half of the space between lines
    marginBlockStart: (-(role.pitch - 1) / 2) * size,
  };
}

export function borderStyle(editor: Editor, page: PageLook, border: Border | undefined, scale: number): string | undefined {
  return border && border.width > 0 ? `${border.width * scale}px solid ${inkOf(editor, page, border.colour)}` : undefined;
}
