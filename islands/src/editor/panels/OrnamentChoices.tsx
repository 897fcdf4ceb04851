// Which of the house's drawings it is.
import { useContext } from "react";
import { ORNAMENTS } from "../../generated/edit_rules.js";
import * as actions from "../actions.js";
import type { ElementModel } from "../Book.js";
import { EditorContext } from "../context.js";
import type { ShapeKind } from "../document.js";

export function OrnamentChoices({ element, shape, isFixed }: { element: ElementModel; shape: ShapeKind; isFixed: boolean }) {
  const editor = useContext(EditorContext);
  return (
    <fieldset>
      <legend>纹样</legend>
      <div className="ornaments" role="group" aria-label="哪种纹样">
        {ORNAMENTS.map(({ code, name }, index) => (
          <button key={code} type="button" disabled={isFixed} aria-pressed={shape === code} onClick={() => actions.changeOrnament(editor, element, code)}>
            <i style={{ backgroundImage: `url(${editor.props.ornaments})`, backgroundPosition: `${(index * 100) / (ORNAMENTS.length - 1)}% 0` }} />
            {name}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
