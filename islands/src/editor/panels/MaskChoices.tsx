// The outline that a photo is cut to.
import { useContext } from "react";
import * as actions from "../actions.js";
import { EditorContext } from "../context.js";
import { MASKS } from "../../generated/edit_rules.js";
import type { Mask } from "../document.js";
import { roundedBy } from "../geometry.js";

const CHOICES: { code?: Mask; name: string }[] = [{ name: "方" }, ...MASKS];

export function MaskChoices({ mask, isFixed }: { mask: Mask | undefined; isFixed: boolean }) {
  const editor = useContext(EditorContext);
  return (
    <fieldset>
      <legend>外形</legend>
      <div className="segments" role="group" aria-label="照片的外形">
        {CHOICES.map(({ code, name }) => (
          <button key={name} type="button" disabled={isFixed} aria-pressed={mask === code} onClick={() => actions.setAll(editor, "mask", code ?? null, "外形", "mask")}>
            <i className="mask" style={{ borderRadius: code && roundedBy(code, "50%") }} />
            {name}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
