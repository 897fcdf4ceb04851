// What things are called, for those who hear them.
import { type Element, ornamentOf, pageName, type ShapeKind } from "./document.js";
import type { Editor } from "./Model.js";
import type { PageModel } from "./Book.js";

const SHAPES: Partial<Record<ShapeKind, string>> = { rect: "矩形", ellipse: "椭圆", line: "线条" };
const MONTHS = { grid: "月历", title: "月份标题", small: "小月历", year: "年份" };
const LONG = 12;

/** What kind of thing it is, and which one. */
export function kindOf(editor: Editor, element: Element): string {
  switch (element.kind) {
    case "photo": {
      const name = editor.library.known.peek().get(element.photo)?.name;
      return name ? `照片，${name}` : "照片";
    }
    case "text": {
      const words = element.text.replaceAll(/\s+/g, " ").trim();
      return words ? `文字，${words.slice(0, LONG)}${words.length > LONG ? "…" : ""}` : "空文字";
    }
    case "shape":
      return SHAPES[element.shape] ? `图形，${SHAPES[element.shape]}` : `纹样，${ornamentOf(element.shape)?.name}`;
    case "pdf":
      return `PDF 第 ${element.page} 页`;
    case "code":
      return "二维码";
    case "month":
      return MONTHS[element.part];
  }
}

/** 照片，海边.jpg，第 3 个，共 7 个. */
export function nameOf(editor: Editor, id: string): string {
  const page = editor.book.pageOf(id);
  const element = editor.book.element(id)?.value.peek();
  if (!page || !element) return "";
  const order = page.reading.peek();
  const locked = element.locked ? "，已锁定" : "";
  return `${kindOf(editor, element)}，第 ${order.indexOf(id) + 1} 个，共 ${order.length} 个${locked}`;
}

export const nameOfPage = (page: PageModel) => pageName(page.number.peek());
