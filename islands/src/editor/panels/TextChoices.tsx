// A text: what it is for, how large, how it stands, its colour.
import { useSignals } from "@preact/signals-react/runtime";
import { useContext } from "react";
import * as actions from "../actions.js";
import type { ElementModel } from "../Book.js";
import { EditorContext } from "../context.js";
import type { Align, Role, TextElement, Typeface } from "../document.js";
import { InkField } from "./Ink.js";
import { NumberField } from "./Number.js";

const ROLES: [Role, string][] = [["title", "书名"], ["subtitle", "副标题"], ["heading", "章名"], ["caption", "图说"], ["body", "正文"]];
const FONTS: [Typeface, string][] = [["sans", "黑体"], ["serif", "宋体"], ["brush", "毛笔"], ["xiaowei", "小薇"]];
const ALIGNS: [Align, string][] = [["left", "左"], ["center", "中"], ["right", "右"], ["justify", "两端"]];

interface Props {
  element: ElementModel;
  value: TextElement;
  isFixed: boolean;
}

export function TextChoices({ element, value, isFixed }: Props) {
  useSignals();
  const editor = useContext(EditorContext);
  const mode = editor.mode.value;
  const isWritten = mode.kind === "write" && mode.id === element.id;
  return (
    <fieldset>
      <legend>文字</legend>
      <button type="button" className="button small" disabled={isFixed} onClick={() => editor.setMode(isWritten ? { kind: "arrange" } : { kind: "write", id: element.id })}>
        {isWritten ? "写好了" : "修改文字"}
      </button>
      <label className="choice">
        <span>用途</span>
        <select className="input" disabled={isFixed} value={value.role} onChange={({ target }) => actions.setAll(editor, "role", target.value, "用途")}>
          {ROLES.map(([role, words]) => (
            <option key={role} value={role}>{words}</option>
          ))}
        </select>
      </label>
      <label className="choice">
        <span>字体</span>
        <select className="input" disabled={isFixed} value={value.font ?? ""} onChange={({ target }) => actions.setAll(editor, "font", target.value || null, "字体")}>
          <option value="">按风格</option>
          {FONTS.map(([font, words]) => (
            <option key={font} value={font}>{words}</option>
          ))}
        </select>
      </label>
      <NumberField label="字号" unit="级" min={-4} max={8} value={value.size ?? 0} disabled={isFixed} onChange={(size) => actions.setAll(editor, "size", Math.round(size), "字号", "size")} />
      <div className="segments" role="group" aria-label="对齐方式">
        {ALIGNS.map(([align, words]) => (
          <button
            key={align}
            type="button"
            disabled={isFixed}
            aria-pressed={value.align === align}
            onClick={() => actions.setAll(editor, "align", value.align === align ? null : align, "对齐方式")}
          >
            {words}
          </button>
        ))}
        <button type="button" disabled={isFixed} aria-pressed={value.weight === "bold"} onClick={() => actions.setAll(editor, "weight", value.weight === "bold" ? null : "bold", "粗细")}>
          粗
        </button>
      </div>
      <InkField legend="颜色" none="按风格" value={value.colour} disabled={isFixed} onChange={(colour) => actions.setAll(editor, "colour", colour, "颜色", "colour")} />
    </fieldset>
  );
}
