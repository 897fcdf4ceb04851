// A shape: its colour and its line, or its drawing.
import { useContext } from "react";
import * as actions from "../actions.js";
import type { ElementModel } from "../Book.js";
import { EditorContext } from "../context.js";
import { ornamentOf, type ShapeElement } from "../document.js";
import { BorderChoices } from "./BorderChoices.js";
import { InkField } from "./Ink.js";
import { OrnamentChoices } from "./OrnamentChoices.js";

export function ShapeChoices({ element, value, isFixed }: { element: ElementModel; value: ShapeElement; isFixed: boolean }) {
  const editor = useContext(EditorContext);
  const isOrnament = ornamentOf(value.shape) !== undefined;
  const legend = isOrnament ? "颜色" : "填色";
  return (
    <>
      {isOrnament && <OrnamentChoices element={element} shape={value.shape} isFixed={isFixed} />}
      {value.shape !== "line" && (
        <fieldset>
          <legend>{legend}</legend>
          <InkField legend={legend} none="不填色" value={value.fill} disabled={isFixed} onChange={(fill) => actions.setAll(editor, "fill", fill, legend, "fill")} />
          <p className="hint">两种印刷标准都印得出的是实色，所以没有半透明。</p>
        </fieldset>
      )}
      {!isOrnament && <BorderChoices border={value.border} radius={value.radius} hasRadius={value.shape === "rect"} isFixed={isFixed} none="没有边框" />}
    </>
  );
}
