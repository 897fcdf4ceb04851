// The field for a text. It comes when the pages stand, or at once where somebody writes before that; from then on it is drawn in
// the task of the press that opens it, as phones show a keyboard only then.
import { effect, signal } from "@preact/signals-react";
import { useSignals } from "@preact/signals-react/runtime";
import { useContext } from "react";
import { EditorContext } from "./context.js";
import type { Editor } from "./Model.js";
import { lazy } from "../runtime/lazy.js";
import { toast } from "../runtime/toasts.js";

const load = lazy("writing", () => import("./Writing.js"));
const fields = signal<typeof import("./Writing.js") | undefined>(undefined);

/** Has the field fetched when it may be needed. Returns how to end that. */
export function fetchField(editor: Editor): () => void {
  return effect(() => {
    // both are followed: where it did not come when the pages stood, a press tries again
    const [isSettled, { kind }] = [editor.isSettled.value, editor.mode.value];
    if ((!isSettled && kind !== "write") || fields.peek()) return;
    void load().catch(() => undefined).then((loaded) => {
      fields.value = loaded;
      if (loaded || editor.mode.peek().kind !== "write") return;
      editor.setMode({ kind: "arrange" });
      toast("写字的地方没有加载出来。改动都存着，刷新页面再试。", { bad: true });
    });
  });
}

/** In the text's own place on the page. */
export function Writing() {
  useSignals();
  const editor = useContext(EditorContext);
  const mode = editor.mode.value;
  const Field = fields.value?.Writing;
  return mode.kind === "write" && !editor.view.isNarrow.value && Field ? <Field key={mode.id} id={mode.id} /> : null;
}

/** In a sheet at the foot: for phones. */
export function WritingSheet() {
  useSignals();
  const Sheet = fields.value?.WritingSheet;
  return Sheet ? <Sheet /> : null;
}
