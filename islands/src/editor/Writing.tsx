// Writing a text in its place. The field is a draft: the press says, a moment after the last key, whether it fits.
import { effect } from "@preact/signals-react";
import { useSignals } from "@preact/signals-react/runtime";
import { type ComponentProps, useContext, useEffect, useRef, useState } from "react";
import type { TextLines } from "../generated/works.js";
import { Latest } from "../runtime/http/latest.js";
import * as actions from "./actions.js";
import type { ElementModel, PageModel } from "./Book.js";
import { EditorContext } from "./context.js";
import type { TextElement } from "./document.js";
import { plain } from "./edit.js";
import { boundsOf } from "./geometry.js";
import { isComposing } from "./keys.js";
import type { Editor } from "./Model.js";
import { place, useStyled } from "./placing.js";
import { textStyle } from "./typography.js";

/** Milliseconds of typing that are kept together, and from the last key to the question how it is set. */
const [KEEP_MS, ASK_MS] = [300, 150];

/** In the text's own place on the page. */
export function Writing({ id }: { id: string }) {
  useSignals();
  const editor = useContext(EditorContext);
  const text = textOf(editor, id);
  return text && <InPlace {...text} />;
}

/** In a sheet at the foot, with letters that can be read, while the page above shows what becomes of it: for phones. */
export function WritingSheet() {
  useSignals();
  const editor = useContext(EditorContext);
  const mode = editor.mode.value;
  const text = mode.kind === "write" && editor.view.isNarrow.value ? textOf(editor, mode.id) : undefined;
  return text ? <InSheet key={text.element.id} {...text} /> : null;
}

interface Text {
  element: ElementModel;
  page: PageModel;
  value: TextElement;
}

function textOf(editor: Editor, id: string): Text | undefined {
  const [element, page] = [editor.book.element(id), editor.book.pageOf(id)];
  const value = element?.value.value;
  return element && page && value?.kind === "text" ? { element, page, value } : undefined;
}

function InPlace({ element, page, value }: Text) {
  useSignals();
  const editor = useContext(EditorContext);
  const { area, set } = useDraft(editor, element);
  const box = useStyled<HTMLDivElement>(
    (node) => {
      const open = editor.view.open.value.find((candidate) => candidate.page === page);
      const { frame, rotation } = element.placed.value;
      if (open) place(node, { frame: { ...frame, x: frame.x + open.x }, rotation }, editor.view.scale.value);
    },
    [editor, element, page],
  );
  return (
    <div ref={box} className={set.overflows ? "writing over" : "writing"}>
      <textarea {...area} defaultValue={value.text} style={textStyle(editor, page, value, editor.view.scale.value)} />
      <State set={set} />
    </div>
  );
}

function InSheet({ element, page, value }: Text) {
  useSignals();
  const editor = useContext(EditorContext);
  const { area, set } = useDraft(editor, element);
  // the sheet and the keyboard leave the page little room: what is written is in it
  useEffect(
    () =>
      effect(() => {
        if (editor.view.stage.value.height > 0) editor.view.fitTo(page, boundsOf(element.frame, element.rotation));
      }),
    [editor, element, page],
  );
  return (
    <section className={set.overflows ? "writing-sheet over" : "writing-sheet"} aria-label="写文字">
      <textarea {...area} className="input" rows={3} defaultValue={value.text} />
      <div className="row">
        <State set={set} />
        <button type="button" className="button small primary" onClick={() => editor.setMode({ kind: "arrange" })}>写好了</button>
      </div>
    </section>
  );
}

/** Whether it fits, as the press says. */
function State({ set }: { set: TextLines }) {
  return (
    <p id="writing-state" className="state" role="status">
      {set.overflows ? "文字超出了框，印不全" : set.lines.length > 1 ? `草稿，排成 ${set.lines.length} 行，点别处就写好了` : "草稿，点别处就写好了"}
    </p>
  );
}

/** A field for a text, and how the press sets what is in it. */
function useDraft(editor: Editor, element: ElementModel) {
  const [draft] = useState(() => new Draft(editor, element));
  const ref = useRef<HTMLTextAreaElement>(null);
  const [set, setSet] = useState<TextLines>({ lines: [], overflows: false });
  useEffect(() => {
    draft.tell(setSet);
    const field = ref.current;
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
    // leaving the page keeps what was typed
    const leave = () => draft.keep();
    document.addEventListener("visibilitychange", leave);
    return () => {
      document.removeEventListener("visibilitychange", leave);
      draft.end(field?.value ?? "");
    };
  }, [draft]);
  const area: ComponentProps<"textarea"> = {
    ref,
    "aria-label": "文字",
    "aria-describedby": "writing-state",
    maxLength: 500,
    spellCheck: false,
    onCompositionStart: () => draft.compose(true),
    onCompositionEnd: ({ currentTarget }) => {
      draft.compose(false);
      draft.type(currentTarget.value);
    },
    onInput: ({ currentTarget }) => draft.type(currentTarget.value),
    onKeyDown: (event) => {
      // an Esc of the input method is not ours
      if (isComposing(event.nativeEvent)) return;
      event.stopPropagation();
      const isDone = event.key === "Escape" || (event.key === "Enter" && (event.ctrlKey || event.metaKey));
      if (isDone) {
        editor.setMode({ kind: "arrange" });
        editor.focus(element.id);
      }
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") draft.keep();
    },
    onPaste: (event) => event.stopPropagation(),
  };
  return { area, set };
}

/** What is being typed, on its way to the journal. */
class Draft {
  #isComposing = false;
  #told: (set: TextLines) => void = () => undefined;
  readonly #editor: Editor;
  readonly #element: ElementModel;
  readonly #asked = new Latest();
  #text: string;
  #keeping: ReturnType<typeof setTimeout> | undefined;
  #asking: ReturnType<typeof setTimeout> | undefined;

  constructor(editor: Editor, element: ElementModel) {
    this.#editor = editor;
    this.#element = element;
    this.#text = this.#stored;
  }

  get #stored(): string {
    const value = this.#element.value.peek();
    return value.kind === "text" ? value.text : "";
  }

  /** Who wants to know whether it fits. */
  tell(told: (set: TextLines) => void): void {
    this.#told = told;
    this.ask();
  }

  compose(is: boolean): void {
    this.#isComposing = is;
  }

  type(text: string): void {
    this.#text = plain(text);
    // a word that is not chosen yet is nobody's text
    if (this.#isComposing) return;
    this.#keeping ??= setTimeout(this.keep, KEEP_MS);
    clearTimeout(this.#asking);
    this.#asking = setTimeout(() => this.ask(), ASK_MS);
  }

  readonly keep = (): void => {
    clearTimeout(this.#keeping);
    this.#keeping = undefined;
    if (this.#isComposing || this.#text === this.#stored || !this.#editor.book.element(this.#element.id)) return;
    this.#editor.commit("文字", actions.set(this.#editor, this.#element, "text", this.#text), `text ${this.#element.id}`);
  };

  ask(): void {
    const page = this.#editor.book.pageOf(this.#element.id);
    const value = this.#element.value.peek();
    if (!page || value.kind !== "text" || this.#isComposing) return;
    const { work } = this.#editor.props;
    this.#asked.run((signal) => this.#editor.calls.lines(work, page.id, { ...value, text: this.#text }, signal)).then(
      (set) => this.#told(set),
      // the true picture says it later
      () => undefined,
    );
  }

  end(text: string): void {
    clearTimeout(this.#asking);
    this.#asked.stop();
    this.#isComposing = false;
    this.#text = plain(text);
    this.keep();
  }
}
