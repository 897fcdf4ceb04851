// The line along an edge, and round corners.
import { useContext } from "react";
import * as actions from "../actions.js";
import { EditorContext } from "../context.js";
import type { Border } from "../document.js";
import { InkField } from "./Ink.js";
import { NumberField } from "./Number.js";

interface Props {
  border: Border | undefined;
  radius?: number | undefined;
  hasRadius: boolean;
  isFixed: boolean;
  /** What no border of one's own means. */
  none: string;
}

export function BorderChoices({ border, radius, hasRadius, isFixed, none }: Props) {
  const editor = useContext(EditorContext);
  const give = (to: Border | null) => actions.setAll(editor, "border", to, "边框", "border");
  const colour = border?.colour ?? "strong";
  return (
    <fieldset>
      <legend>边框与圆角</legend>
      <NumberField label="边框" unit="毫米" step={0.5} min={0} max={20} value={border?.width ?? 0} disabled={isFixed} onChange={(width) => give({ width, colour })} />
      <InkField legend="边框颜色" none={none} value={border?.colour} disabled={isFixed} onChange={(to) => give(to === null ? null : { width: border?.width ?? 1, colour: to })} />
      {hasRadius && <NumberField label="圆角" unit="毫米" min={0} max={200} value={radius ?? 0} disabled={isFixed} onChange={(to) => actions.setAll(editor, "radius", to, "圆角", "radius")} />}
    </fieldset>
  );
}
