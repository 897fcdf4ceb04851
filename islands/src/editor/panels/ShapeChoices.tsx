// A shape: its colour and its line.
import { useContext } from "react";
import * as actions from "../actions.js";
import { EditorContext } from "../context.js";
import type { ShapeElement } from "../document.js";
import { BorderChoices } from "./BorderChoices.js";
import { InkField } from "./Ink.js";

export function ShapeChoices({ value, isFixed }: { value: ShapeElement; isFixed: boolean }) {
  const editor = useContext(EditorContext);
  const isLine = value.shape === "line";
  return (
    <>
      {!isLine && (
        <fieldset>
          <legend>填色</legend>
          <InkField legend="填色" none="不填色" value={value.fill} disabled={isFixed} onChange={(fill) => actions.setAll(editor, "fill", fill, "填色", "fill")} />
          <p className="hint">两种印刷标准都印得出的是实色，所以没有半透明。</p>
        </fieldset>
      )}
      <BorderChoices border={value.border} radius={value.radius} hasRadius={value.shape === "rect"} isFixed={isFixed} none="没有边框" />
    </>
  );
}
