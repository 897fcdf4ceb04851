// Writing a text in its place. The field is a draft: the press says, a moment after the last key, where its lines end and
// whether it fits.
import "../runtime/base.js";
import "./base.js";
import { effect } from "@preact/signals-react";
import { useSignals } from "@preact/signals-react/runtime";
import { type CSSProperties, useCallback, useContext, useEffect, useRef, useState } from "react";
import type { TextLines } from "../generated/works.js";
import { Latest } from "../runtime/http/latest.js";
import * as actions from "./actions.js";
import type { ElementModel, PageModel } from "./Book.js";
import { EditorContext } from "./context.js";
import type { TextElement } from "./document.js";
import { plain } from "./edit.js";
import { boundsOf } from "./geometry.js";
import { isComposing } from "./keys.js";
import { Lines, canTypeset } from "./Lines.js";
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
  const { draft, set, keys } = useDraft(editor, element);
  const box = useStyled<HTMLDivElement>(
    (node) => {
      const open = editor.view.open.value.find((candidate) => candidate.page === page);
      const { frame, rotation } = element.placed.value;
      if (open) place(node, { frame: { ...frame, x: frame.x + open.x }, rotation }, editor.view.scale.value);
    },
    [editor, element, page],
  );
  const style = textStyle(editor, page, value, editor.view.scale.value);
  const [isTypeset] = useState(canTypeset);
  const Field = isTypeset ? Typeset : Plain;
  return (
    <div ref={box} className={set.overflows ? "writing over" : "writing"}>
      <Field draft={draft} set={set} keys={keys} style={style} text={value.text} />
      <State set={set} />
    </div>
  );
}

function InSheet({ element, page, value }: Text) {
  useSignals();
  const editor = useContext(EditorContext);
  const { draft, set, keys } = useDraft(editor, element);
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
      <Plain draft={draft} set={set} keys={keys} text={value.text} />
      <div className="row">
        <State set={set} />
        <button type="button" className="button small primary" onClick={() => editor.endWriting()}>写好了</button>
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

interface FieldProps {
  draft: Draft;
  set: Set;
  keys: (event: KeyboardEvent) => void;
  /** Of letters on the page. */
  style?: CSSProperties;
  text: string;
}

const NAMES = { "aria-label": "文字", "aria-describedby": "writing-state", spellCheck: false } as const;

/** A field as browsers have it: its lines end where they fit. */
function Plain({ draft, keys, style, text }: FieldProps) {
  const ref = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const field = ref.current;
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, []);
  return (
    <textarea
      {...NAMES}
      ref={ref}
      className={style ? undefined : "input"}
      rows={3}
      style={style}
      defaultValue={text}
      maxLength={500}
      onCompositionStart={() => draft.compose(true)}
      onCompositionEnd={({ currentTarget }) => {
        draft.compose(false);
        draft.type(currentTarget.value);
      }}
      onInput={({ currentTarget }) => draft.type(currentTarget.value)}
      onKeyDown={({ nativeEvent }) => keys(nativeEvent)}
      onPaste={(event) => event.stopPropagation()}
    />
  );
}

/** A field whose lines end where the press ends them. */
function Typeset({ draft, set, keys, style, text }: FieldProps) {
  const ref = useRef<HTMLDivElement>(null);
  const lines = useRef<Lines>(undefined);
  // what the draft begins with; later words are in the field first
  const begun = useRef(text);
  useEffect(() => {
    const node = ref.current;
    if (!node) return undefined;
    node.focus();
    lines.current = new Lines(node, begun.current);
    return listen(node, lines.current, draft, keys);
  }, [draft, keys]);
  useEffect(() => {
    if (!draft.isComposing) lines.current?.set(set.text, set.lines);
  }, [draft, set]);
  const align = style?.textAlign === "justify" ? "start" : style?.textAlign;
  return (
    <div
      {...NAMES}
      ref={ref}
      className="field"
      role="textbox"
      tabIndex={0}
      aria-multiline="true"
      contentEditable="plaintext-only"
      suppressContentEditableWarning
      data-align={align}
      style={{ ...style, textAlign: align }}
    />
  );
}

/** Brings what is typed in a typeset field to the draft. */
function listen(node: HTMLElement, lines: Lines, draft: Draft, keys: (event: KeyboardEvent) => void): () => void {
  const life = new AbortController();
  const on = <T extends keyof HTMLElementEventMap>(type: T, run: (event: HTMLElementEventMap[T]) => void) =>
    node.addEventListener(type, run, { signal: life.signal });
  on("compositionstart", () => draft.compose(true));
  on("compositionend", () => {
    draft.compose(false);
    draft.type(lines.typed());
  });
  on("input", () => draft.type(draft.isComposing ? lines.text : lines.typed()));
  on("beforeinput", (event) => {
    const { inputType } = event;
    if (inputType === "insertParagraph" || inputType === "insertLineBreak") {
      event.preventDefault();
      draft.type(lines.insert("\n"));
    } else if (inputType === "historyUndo" || inputType === "historyRedo") {
      event.preventDefault();
      draft.type(inputType === "historyUndo" ? lines.undo() : lines.redo());
    }
  });
  on("keydown", (event) => {
    keys(event);
    const key = event.key.toLowerCase();
    if (isComposing(event) || !(event.ctrlKey || event.metaKey) || (key !== "z" && key !== "y")) return;
    event.preventDefault();
    draft.type(key === "y" || event.shiftKey ? lines.redo() : lines.undo());
  });
  on("paste", (event) => {
    event.stopPropagation();
    event.preventDefault();
    draft.type(lines.insert(plain(event.clipboardData?.getData("text/plain") ?? "")));
  });
  on("drop", (event) => event.preventDefault());
  return () => life.abort();
}

/** How the press sets a text. */
interface Set extends TextLines {
  text: string;
}

const NOTHING: Set = { text: "", lines: [], overflows: false };

/** A text that is written, how the press sets it, and what keys mean meanwhile. */
function useDraft(editor: Editor, element: ElementModel) {
  const [draft] = useState(() => new Draft(editor, element));
  const [set, setSet] = useState(NOTHING);
  useEffect(() => {
    draft.tell(setSet);
    // leaving the page keeps what was typed
    const leave = () => draft.keep();
    document.addEventListener("visibilitychange", leave);
    return () => {
      document.removeEventListener("visibilitychange", leave);
      draft.end();
    };
  }, [draft]);
  const keys = useCallback(
    (event: KeyboardEvent) => {
      // an Esc of the input method is not ours
      if (isComposing(event)) return;
      event.stopPropagation();
      const isCommand = event.ctrlKey || event.metaKey;
      if (event.key === "Escape" || (event.key === "Enter" && isCommand)) editor.endWriting();
      if (isCommand && event.key.toLowerCase() === "z") draft.keep();
    },
    [editor, draft],
  );
  return { draft, set, keys };
}

/** What is being typed, on its way to the journal. */
class Draft {
  #isComposing = false;
  #told: (set: Set) => void = () => undefined;
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
  tell(told: (set: Set) => void): void {
    this.#told = told;
    this.ask();
  }

  get isComposing(): boolean {
    return this.#isComposing;
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
    const text = this.#text;
    this.#asked.run((signal) => this.#editor.calls.lines(work, page.id, { ...value, text }, signal)).then(
      (set) => this.#told({ ...set, text }),
      // the true picture says it later
      () => undefined,
    );
  }

  end(): void {
    clearTimeout(this.#asking);
    this.#asked.stop();
    this.#isComposing = false;
    this.keep();
  }
}
