// The outline that a photo is cut to.
import { useContext } from "react";
import * as actions from "../actions.js";
import { EditorContext } from "../context.js";
import type { Mask } from "../document.js";
import { roundedBy } from "../geometry.js";

const MASKS: [Mask | undefined, string][] = [[undefined, "方"], ["round", "圆"], ["arch", "拱"], ["leaf", "叶"], ["drop", "滴"]];

export function MaskChoices({ mask, isFixed }: { mask: Mask | undefined; isFixed: boolean }) {
  const editor = useContext(EditorContext);
  return (
    <fieldset>
      <legend>外形</legend>
      <div className="segments" role="group" aria-label="照片的外形">
        {MASKS.map(([code, words]) => (
          <button key={words} type="button" disabled={isFixed} aria-pressed={mask === code} onClick={() => actions.setAll(editor, "mask", code ?? null, "外形", "mask")}>
            <i className="mask" style={{ borderRadius: code && roundedBy(code, "50%") }} />
            {words}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
