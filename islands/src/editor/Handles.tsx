// What is selected: its outline, and handles for the hand. Everything that they do can be done in the panel as well.
import { useSignals } from "@preact/signals-react/runtime";
import { useContext } from "react";
import type { ElementModel } from "./Book.js";
import { pictures } from "./calls.js";
import { EditorContext } from "./context.js";
import { keepsShape } from "./document.js";
import type { Pull } from "./geometry.js";
import { boxOf, isStiff } from "./gestures.js";
import { useCropped } from "./Layers.js";
import { place, useStyled } from "./placing.js";
import { sideOf, zoomToSelection } from "./actions.js";
import { SMALL } from "./View.js";

const PULLS: Record<string, Pull> = {
  nw: { across: -1, down: -1 },
  n: { across: 0, down: -1 },
  ne: { across: 1, down: -1 },
  e: { across: 1, down: 0 },
  se: { across: 1, down: 1 },
  s: { across: 0, down: 1 },
  sw: { across: -1, down: 1 },
  w: { across: -1, down: 0 },
};

const CORNERS = ["nw", "ne", "se", "sw"];

export const pullOf = (name: string | undefined): Pull | undefined => (name === undefined ? undefined : PULLS[name]);

export function Handles() {
  useSignals();
  const editor = useContext(EditorContext);
  const selected = editor.selected.value;
  const mode = editor.mode.value;
  // what is written in its own place has its field there
  if (mode.kind === "write" && !editor.view.isNarrow.value) return null;
  const free = selected.filter(({ value }) => !value.value.locked);
  return (
    <>
      {selected.map((element) => <Outline key={element.id} element={element} isOnly={selected.length === 1} />)}
      {selected.length > 1 && free.length > 1 && editor.canEdit.value && <Box elements={free} />}
    </>
  );
}

/** One box around several, to pull and to turn all of them. */
function Box({ elements }: { elements: ElementModel[] }) {
  useSignals();
  const editor = useContext(EditorContext);
  const [first] = elements;
  const ref = useStyled<HTMLDivElement>(
    (node) => {
      const open = editor.view.open.value.find(({ page }) => first && page.elements.value.includes(first));
      node.hidden = !open;
      const box = boxOf(elements.map(({ placed }) => placed.value));
      if (open) place(node, { frame: { ...box, x: box.x + open.x }, rotation: 0 }, editor.view.scale.value);
    },
    // those that are selected, not the list of them
    [editor, elements.map(({ id }) => id).join(" ")],
  );
  const stiff = isStiff(elements.map(({ value }) => ({ isRigid: keepsShape(value.value), rotation: value.value.rotation ?? 0 })));
  const names = stiff ? CORNERS : Object.keys(PULLS);
  return (
    <div ref={ref} className="outline box">
      {names.map((name) => <i key={name} className={`handle ${name}`} data-handle={name} />)}
      <i className="turner" data-turn="" />
    </div>
  );
}

function Outline({ element, isOnly }: { element: ElementModel; isOnly: boolean }) {
  useSignals();
  const editor = useContext(EditorContext);
  const ref = useStyled<HTMLDivElement>(
    (node) => {
      const open = editor.view.open.value.find(({ page }) => page.elements.value.includes(element));
      const scale = editor.view.scale.value;
      const { frame, rotation } = element.placed.value;
      node.hidden = !open;
      if (open) place(node, { frame: { ...frame, x: frame.x + open.x }, rotation }, scale);
    },
    [editor, element],
  );
  const { kind, locked } = element.value.value;
  const mode = editor.mode.value;
  const isCropped = mode.kind === "crop" && mode.id === element.id;
  const canPull = isOnly && !locked && editor.canEdit.value && mode.kind !== "write";
  const names = pullsFor(element);
  return (
    <div ref={ref} className={isCropped ? "outline cropping" : locked ? "outline locked" : "outline"}>
      {isCropped && <Rest element={element} />}
      {canPull && <i className="rim" />}
      {canPull && names.map((name) => <i key={name} className={`handle ${name}`} data-handle={name} />)}
      {canPull && !isCropped && <i className="turner" data-turn="" />}
      {canPull && !isCropped && kind === "photo" && <i className="swapper" data-swap="" title="拖到另一个相框，交换照片" />}
    </div>
  );
}

/** Of what is too small here for handles under fingers: the way near, where they are. */
export function Nearer() {
  useSignals();
  const editor = useContext(EditorContext);
  const selected = editor.selected.value;
  const [element] = selected;
  if (!element || editor.mode.value.kind !== "arrange") return null;
  const isLine = selected.length === 1 && element.value.value.kind === "shape" && element.value.value.shape === "line";
  const isSmall = !isLine && sideOf(selected) * editor.view.scale.value < SMALL;
  if (!isSmall || selected.some(({ value }) => value.value.locked) || !editor.canEdit.value) return null;
  const near = () => {
    zoomToSelection(editor);
    // the button goes
    editor.focus(element.id);
  };
  return (
    <p className="nearer">
      <button type="button" className="button small" onClick={near}>放大来改</button>
    </p>
  );
}

function pullsFor(element: ElementModel): string[] {
  const value = element.value.peek();
  if (value.kind === "shape" && value.shape === "line") return ["w", "e"];
  return keepsShape(value) ? CORNERS : Object.keys(PULLS);
}

/** What of a photo its frame does not show, while its part is chosen. */
function Rest({ element }: { element: ElementModel }) {
  useSignals();
  const ref = useCropped(element);
  const value = element.value.value;
  return value.kind === "photo" ? <img ref={ref} className="rest" src={pictures.photo(value.photo, 1280)} alt="" draggable={false} /> : null;
}
