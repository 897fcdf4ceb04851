// The table on which the open pages lie, and the hand that works on them.
import { effect } from "@preact/signals-react";
import { useSignals } from "@preact/signals-react/runtime";
import { type ComponentType, lazy, Suspense, useContext, useEffect, useRef } from "react";
import { EditorContext, MachineContext } from "./context.js";
import type { Point } from "./geometry.js";
import type { Keys } from "./gestures.js";
import { Handles, Nearer, pullOf } from "./Handles.js";
import { wheel } from "./keys.js";
import type { Machine, Target } from "./Machine.js";
import type { Editor } from "./Model.js";
import { useStyled } from "./placing.js";
import { Sheet } from "./Sheet.js";
import { Writing } from "./field.js";

/** Beside the front, when the pages stand; where it does not come, the front stands alone. */
const WholeCover = lazy<ComponentType>(() => import("./panels/index.js").then((panels): { default: ComponentType } => ({ default: panels.WholeCover }), () => ({ default: () => null })));

export function Stage() {
  useSignals();
  const editor = useContext(EditorContext);
  const machine = useContext(MachineContext);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => (ref.current ? listen(ref.current, editor, machine) : undefined), [editor, machine]);
  const spread = useStyled<HTMLDivElement>(
    (node) => {
      const { x, y } = editor.view.origin.value;
      node.style.transform = `translate(${x}px, ${y}px)`;
    },
    [editor],
  );
  const carried = editor.carried.value;
  return (
    <div ref={ref} className={carried ? "stage carrying" : "stage"} role="group" aria-label="版面" aria-describedby="editor-help">
      <div ref={spread} className="spread">
        {editor.isSettled.value && editor.view.seesCover.value && (
          <Suspense>
            <WholeCover />
          </Suspense>
        )}
        {editor.view.open.value.map(({ page, x }) => (
          <Sheet key={page.id} page={page} x={x} />
        ))}
        <Guides />
        <Handles />
        <Writing />
      </div>
      <Marking />
      <Nearer />
      <p id="editor-help" className="sr">
        Tab 依次选中，方向键移动，回车修改，Delete 删除，Ctrl+Z 撤销。所有拖动都能在“属性”里用按钮完成。
      </p>
    </div>
  );
}

/** The rectangle with which things are marked. */
function Marking() {
  const machine = useContext(MachineContext);
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    machine.showMarks((rect) => {
      const node = ref.current;
      if (!node) return;
      node.hidden = !rect;
      if (!rect) return;
      node.style.transform = `translate(${rect.x}px, ${rect.y}px)`;
      node.style.inlineSize = `${rect.width}px`;
      node.style.blockSize = `${rect.height}px`;
    });
  }, [machine]);
  return <i className="marking" ref={ref} hidden />;
}

/** Lines that are ready when something begins to move: seldom are more of them seen at once. */
const LINES = 8;

/** The lines that something lies on while it is moved, drawn without React. */
function Guides() {
  const editor = useContext(EditorContext);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      effect(() => {
        const guides = editor.guides.value;
        const scale = editor.view.scale.value;
        const all = editor.view.open.value;
        const isMoving = editor.isMoving.value;
        const open = guides && all.find(({ page }) => page === guides.page);
        const [node, lines] = [ref.current, open ? guides.lines : []];
        if (!node) return;
        // they are there for as long as the hand is at work: what comes and goes would be laid out anew with every move
        const count = isMoving || lines.length > 0 ? Math.max(lines.length, node.childElementCount, LINES) : 0;
        if (count === 0) node.replaceChildren();
        while (node.childElementCount < count) node.append(document.createElement("i"));
        [...node.children].forEach((child, place) => {
          const [{ style }, line] = [child as HTMLElement, lines[place]];
          child.className = line?.axis ?? "";
          if (!line) {
            style.transform = "scale(0)";
            return;
          }
          const { axis, at, from, to } = line;
          const [x, y] = axis === "x" ? [at, from] : [from, at];
          const length = (to - from) * scale;
          const [across, down] = axis === "x" ? [1, length] : [length, 1];
          style.transform = `translate(${(x + (open?.x ?? 0)) * scale}px, ${y * scale}px) scale(${across}, ${down})`;
        });
      }),
    [editor],
  );
  return <div ref={ref} className="guide-lines" aria-hidden="true" />;
}

const keysOf = ({ shiftKey, altKey, ctrlKey, metaKey }: MouseEvent | KeyboardEvent): Keys => ({ shift: shiftKey, alt: altKey, free: ctrlKey || metaKey });

function targetOf({ target, clientX, clientY }: PointerEvent): Target {
  if (!(target instanceof Element)) return { kind: "paper" };
  const own = target.closest<HTMLElement>("[data-element], [data-handle], [data-turn], [data-swap]");
  if (own?.dataset.element !== undefined) return { kind: "element", id: own.dataset.element };
  if (!own) return { kind: "paper" };
  const pull = pullOf(own.dataset.handle);
  const covered = document.elementsFromPoint(clientX, clientY).find((node) => node.matches("[data-element]"));
  const over = covered instanceof HTMLElement ? covered.dataset.element : undefined;
  if (pull) return { kind: "handle", pull, over };
  return { kind: own.dataset.turn === undefined ? "swap" : "turn", over };
}

/** Brings the pointer, the wheel and files to the machine. */
function listen(stage: HTMLElement, editor: Editor, machine: Machine): () => void {
  const life = new AbortController();
  const on = <T extends keyof HTMLElementEventMap>(type: T, run: (event: HTMLElementEventMap[T]) => void, passive = true) =>
    stage.addEventListener(type, run, { signal: life.signal, passive });
  let corner = stage.getBoundingClientRect();
  const at = ({ clientX, clientY }: MouseEvent): Point => ({ x: clientX - corner.left, y: clientY - corner.top });
  const isOwn = (target: EventTarget | null) => target instanceof Element && target.closest(".writing, .nearer, .whole-cover a") !== null;

  on("pointerdown", (event) => {
    if (isOwn(event.target)) return;
    // found once, not with every move
    corner = stage.getBoundingClientRect();
    editor.endWriting();
    machine.down(event.pointerId, event.pointerType, event.button, at(event), targetOf(event), keysOf(event));
    stage.setPointerCapture(event.pointerId);
  }, false);
  // the middle button pushes: no scrolling by itself, and no pasting of what was selected elsewhere, as on Linux. That comes
  // with the button's release, and only who hears of it can stop it.
  for (const type of ["mousedown", "mouseup", "auxclick"] as const) {
    on(type, (event) => {
      if (event.button === 1) event.preventDefault();
    }, false);
  }
  // a finger that is gone presses once more, as a mouse: that would take the focus from a field that its tap has opened, or hit what
  // has come under it since
  on("touchend", (event) => {
    const touch = event.changedTouches[0];
    const isOther = touch !== undefined && document.elementFromPoint(touch.clientX, touch.clientY) !== event.target;
    const isMine = !isOwn(event.target) && (isOther || editor.mode.peek().kind === "write");
    // one of several fingers, or what the browser took for itself, can't be prevented any more
    if (isMine && event.cancelable) event.preventDefault();
  }, false);
  on("pointermove", (event) => {
    // every point between two frames counts, the last one is shown
    machine.move(event.pointerId, at(event), keysOf(event));
  });
  on("pointerup", (event) => machine.up(event.pointerId, at(event), event.timeStamp));
  on("pointercancel", (event) => {
    machine.cancel();
    machine.up(event.pointerId, at(event));
  });
  on("wheel", (event) => {
    if (isOwn(event.target)) return;
    event.preventDefault();
    corner = stage.getBoundingClientRect();
    wheel(editor, machine, event, at(event));
    machine.keys(keysOf(event));
  }, false);
  // a long press is ours
  on("contextmenu", (event) => {
    if (machine.isBusy || (event).pointerType === "touch") event.preventDefault();
  }, false);
  on("dragover", (event) => event.preventDefault(), false);
  on("drop", (event) => {
    event.preventDefault();
    corner = stage.getBoundingClientRect();
    const spot = editor.view.spot(at(event));
    const files = [...(event.dataTransfer?.files ?? [])].filter((file) => file.type.startsWith("image/"));
    if (spot && files.length > 0) void import("./uploading.js").then(({ upload }) => upload(editor, files, { page: spot.page, at: spot }));
  }, false);

  const sizes = new ResizeObserver(() => {
    const { width, height } = stage.getBoundingClientRect();
    editor.view.stage.value = { width, height };
  });
  sizes.observe(stage);
  const { width, height } = stage.getBoundingClientRect();
  editor.view.stage.value = { width, height };
  return () => {
    life.abort();
    sizes.disconnect();
  };
}

export { keysOf };
