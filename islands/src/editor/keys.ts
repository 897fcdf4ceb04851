// What keys do. Nothing while an input method composes, and nothing in fields.
import * as actions from "./actions.js";
import { setAlone, setOverview } from "./alone.js";
import type { Point } from "./geometry.js";
import type { Machine } from "./Machine.js";
import type { Editor } from "./Model.js";

const ARROWS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** An input method is in the middle of a word. */
// eslint-disable-next-line @typescript-eslint/no-deprecated -- Safari ends a composition before the key that ends it
export const isComposing = (event: KeyboardEvent) => event.isComposing || event.keyCode === 229;

const isField = (target: EventTarget | null) => target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;

const isButtonElsewhere = (target: EventTarget | null) =>
  target instanceof Element && target.closest("button, a") !== null && target.closest(".stage") === null;

/** Handles a key pressed anywhere in the editor; true where it meant something. */
export function press(editor: Editor, machine: Machine, event: KeyboardEvent): boolean {
  if (isComposing(event)) return false;
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // what a field does by itself is the field's, and a button beside the stage is pressed by Enter
  if (isField(event.target) || (key === "Enter" && isButtonElsewhere(event.target))) return false;
  // what is typed while the field of a text is on its way is no command
  if (editor.mode.peek().kind === "write" && key !== "Escape") return false;
  // a hand at work is not disturbed; Esc takes back what it did, in a crop as well
  if (machine.isBusy) return key !== "Escape" || machine.cancel();
  if (editor.isOverview.peek()) return overviewed(editor, key, event);
  if (command) return commanded(editor, key, event);
  if (editor.mode.peek().kind === "crop" && cropping(editor, key, event)) return true;
  const arrow = ARROWS[key];
  if (arrow && editor.selection.peek().length > 0) {
    const step = event.shiftKey ? 10 : event.altKey ? 0.1 : 1;
    actions.nudge(editor, arrow[0] * step, arrow[1] * step, event.repeat);
    return true;
  }
  switch (key) {
    case "Escape":
      machine.cancel();
      if (editor.carried.peek()) editor.carry(undefined);
      else if (editor.mode.peek().kind !== "arrange") editor.setMode({ kind: "arrange" });
      else if (editor.selection.peek().length > 0) editor.select([]);
      else return false;
      return true;
    case "Enter":
    case "F2":
      if (editor.selected.peek().length !== 1) return false;
      machine.open();
      return true;
    case "Delete":
    case "Backspace":
      if (editor.selection.peek().length === 0) return false;
      actions.remove(editor);
      return true;
    case "f":
      // with Alt it is the browser's menu
      if (event.altKey || event.repeat) return false;
      setAlone(editor, !editor.isAlone.peek());
      return true;
    case "o":
      if (event.altKey || event.repeat) return false;
      setOverview(editor, true);
      return true;
    case "PageUp":
    case "PageDown":
      editor.view.turn(key === "PageUp" ? -1 : 1);
      return true;
    case "]":
      actions.order(editor, event.shiftKey ? "front" : "up");
      return true;
    case "[":
      actions.order(editor, event.shiftKey ? "back" : "down");
      return true;
    case "+":
    case "=":
      editor.view.zoomBy(1.25);
      return true;
    case "-":
      editor.view.zoomBy(0.8);
      return true;
  }
  // layouts differ in what Shift makes of digits
  if (event.shiftKey && event.code === "Digit1") editor.view.fitAll();
  else if (event.shiftKey && event.code === "Digit2") actions.zoomToSelection(editor);
  else return false;
  return true;
}

/** Over the overview steps are taken back and done again, and the same key leads back; the rest is for pages that are seen. */
function overviewed(editor: Editor, key: string, event: KeyboardEvent): boolean {
  const command = event.ctrlKey || event.metaKey;
  if (command) return (key === "z" || key === "y") && commanded(editor, key, event);
  if ((key !== "Escape" && key !== "o") || event.altKey || event.repeat) return false;
  if (editor.carried.peek()) editor.carry(undefined);
  else setOverview(editor, false);
  return true;
}

function commanded(editor: Editor, key: string, event: KeyboardEvent): boolean {
  switch (key) {
    case "z":
      if (event.shiftKey) editor.redo();
      else editor.undo();
      return true;
    case "y":
      editor.redo();
      return true;
    case "a":
      actions.selectAll(editor);
      return true;
    case "d":
      actions.duplicate(editor);
      return true;
    case "0":
      editor.view.fitAll();
      return true;
    case "l":
      if (!event.shiftKey) return false;
      actions.toggleLock(editor);
      return true;
    default:
      return false;
  }
}

/** Arrows push the photo inside its frame, + and − enlarge it, Enter and Esc end. */
function cropping(editor: Editor, key: string, event: KeyboardEvent): boolean {
  const arrow = ARROWS[key];
  if (arrow) {
    const step = event.shiftKey ? 10 : event.altKey ? 0.1 : 1;
    actions.changeCrop(editor, { dx: arrow[0] * step, dy: arrow[1] * step });
  } else if (key === "Enter" || key === "Escape") editor.setMode({ kind: "arrange" });
  else if (key === "+" || key === "=") actions.changeCrop(editor, { zoom: 1.1 });
  else if (key === "-") actions.changeCrop(editor, { zoom: 1 / 1.1 });
  else return false;
  return true;
}

/** Pixels of the wheel that count at once: a notch of a mouse is no leap, and a pinch on a touchpad follows the fingers. */
const [NOTCH, LINE] = [25, 16];

/** The wheel over the stage: with Ctrl it enlarges, in a crop the photo, else it pushes the stage. */
export function wheel(editor: Editor, machine: Machine, event: WheelEvent, at: Point): void {
  const lines = event.deltaMode === 0 ? 1 : LINE;
  const factor = Math.exp(-Math.min(Math.max(event.deltaY * lines, -NOTCH), NOTCH) / 100);
  if (editor.mode.peek().kind === "crop") machine.wheel(factor, at);
  else if (event.ctrlKey || event.metaKey) editor.view.zoomBy(factor, at);
  else editor.view.panBy(-event.deltaX * lines, -event.deltaY * lines);
}
