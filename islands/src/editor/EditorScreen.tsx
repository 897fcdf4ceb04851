// The whole screen: tools above, pages on the left, the table in the middle, panels on the right; on a phone the panel is a
// sheet from below.
import { effect } from "@preact/signals-react";
import { useSignals } from "@preact/signals-react/runtime";
import { type ComponentType, Suspense, lazy, useContext, useEffect, useRef, useState } from "react";
import * as clipboard from "./clipboard.js";
import { EditorContext, MachineContext } from "./context.js";
import { press } from "./keys.js";
import { Machine } from "./Machine.js";
import type { Editor } from "./Model.js";
import { whenIdle } from "../runtime/idle.js";
import { keepInSight } from "./sight.js";
import { Notices } from "./Notices.js";
import { Stage, keysOf } from "./Stage.js";
import { Strip } from "./Strip.js";
import { Toolbar } from "./Toolbar.js";
import { WritingSheet, fetchField } from "./field.js";

/** A panel that can't be loaded takes nothing else with it. */
const panel = (name: "Properties" | "Tray" | "Checks" | "Overview") =>
  lazy<ComponentType>(() => import("./panels/index.js").then((panels) => ({ default: panels[name] }), () => ({ default: NotLoaded })));
const NotLoaded = () => <p className="quiet">面板没有加载出来。改动都存着，<a href={location.href}>刷新页面</a>再试。</p>;

const Properties = panel("Properties");
const Tray = panel("Tray");
const Checks = panel("Checks");
const Overview = panel("Overview");

/** Up to this scale a browser shows a page as it is. */
const WHOLE = 1.05;
/** How long the pictures of the open pages hold up what else is fetched, in ms. */
const LATE = 8000;

export type Panel = "properties" | "tray" | "checks";
const PANELS: [Panel, string][] = [
  ["properties", "属性"],
  ["tray", "照片"],
  ["checks", "检查"],
];

export function EditorScreen({ editor }: { editor: Editor }) {
  useSignals();
  const [machine] = useState(() => new Machine(editor));
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => (root.current ? listen(root.current, editor, machine) : undefined), [editor, machine]);
  return (
    <EditorContext value={editor}>
      <MachineContext value={machine}>
        <div ref={root} className={classOf(editor)}>
          <Toolbar />
          <Notices />
          <Strip />
          <Stage />
          {editor.isOverview.value && <Suspense fallback={null}><Overview /></Suspense>}
          <Panels />
          <WritingSheet />
          <Said />
        </div>
      </MachineContext>
    </EditorContext>
  );
}

const classOf = ({ isAlone, isOverview }: Editor) => ["editor", isAlone.value && "alone", isOverview.value && "overviewed"].filter(Boolean).join(" ");

function Said() {
  useSignals();
  const editor = useContext(EditorContext);
  return <p className="sr" role="status" aria-live="polite">{editor.said.value}</p>;
}

/** One panel at a time; on a phone none is open at first. */
function Panels() {
  useSignals();
  const editor = useContext(EditorContext);
  const [open, setOpen] = useState<Panel | undefined>(() => (matchMedia("(width < 900px)").matches ? undefined : "properties"));
  const count = editor.findings.value.filter(({ severity }) => severity !== "note").length;
  return (
    <aside className={open ? "panels open" : "panels"} aria-label="面板">
      <div className="choices" role="group" aria-label="选择面板">
        {PANELS.map(([name, words]) => (
          <button key={name} type="button" aria-pressed={open === name} onClick={() => setOpen(open === name && matchMedia("(width < 900px)").matches ? undefined : name)}>
            {words}
            {name === "checks" && count > 0 && <span className="count">{count}</span>}
          </button>
        ))}
      </div>
      {open && (
        <div className="panel-body">
          <Suspense fallback={null}>
            {open === "properties" && <Properties />}
            {open === "tray" && <Tray />}
            {open === "checks" && <Checks />}
          </Suspense>
        </div>
      )}
    </aside>
  );
}

/** Keys and the clipboard, wherever in the editor the focus is; and what happens to the page as a whole. */
function listen(root: HTMLElement, editor: Editor, machine: Machine): () => void {
  const life = new AbortController();
  const { signal } = life;
  const isOurs = () => {
    const active = document.activeElement;
    // a press on the stage gives the focus to whatever holds the editor
    return active === null || root.contains(active) || active.contains(root);
  };
  const isField = (target: EventTarget | null) => target instanceof Element && target.closest("input, textarea, select") !== null;
  document.addEventListener(
    "keydown",
    (event) => {
      if (!isOurs() || event.defaultPrevented) return;
      if (event.key === " " && !isField(event.target) && !(event.target instanceof HTMLButtonElement && !event.target.dataset.element)) {
        machine.isSpace = true;
        root.classList.add("panning");
        event.preventDefault();
      } else if (press(editor, machine, event)) event.preventDefault();
      machine.keys(keysOf(event));
    },
    { signal },
  );
  document.addEventListener(
    "keyup",
    (event) => {
      if (event.key === " ") release();
      machine.keys(keysOf(event));
    },
    { signal },
  );
  // a key that is let go elsewhere is not heard
  const release = () => {
    machine.isSpace = false;
    root.classList.remove("panning");
  };
  addEventListener("blur", release, { signal });
  const onClipboard = (type: "copy" | "cut" | "paste", run: (editor: Editor, event: ClipboardEvent) => unknown) =>
    // over the overview it would act on pages that nobody sees
    document.addEventListener(type, (event) => (isOurs() && !isField(event.target) && !editor.isOverview.peek() ? void run(editor, event) : undefined), { signal });
  onClipboard("copy", clipboard.copy);
  onClipboard("cut", clipboard.cut);
  onClipboard("paste", clipboard.paste);
  // somebody has signed in elsewhere, or the line is back
  for (const type of ["online", "focus", "pageshow"]) addEventListener(type, editor.saver.again, { signal });
  document.addEventListener("visibilitychange", editor.saver.again, { signal });
  // the room below the bar of the site, above a keyboard on the screen, too. Whoever enlarges the whole page with two fingers
  // sees less of it, but it has the same room.
  const fit = () => {
    const { height, offsetTop, scale } = visualViewport ?? { height: innerHeight, offsetTop: 0, scale: 1 };
    if (scale > WHOLE) return;
    const top = root.getBoundingClientRect().top + scrollY;
    root.style.setProperty("--room", `${height + offsetTop - top}px`);
  };
  for (const type of ["resize", "scroll"]) visualViewport?.addEventListener(type, fit, { signal });
  addEventListener("resize", fit, { signal });
  // the bar of the site comes and goes
  const alone = effect(() => {
    const { value } = editor.isAlone;
    requestAnimationFrame(() => value === editor.isAlone.peek() && fit());
  });
  const unkept = keepInSight(editor);
  const unfetched = fetchField(editor);
  editor.lookAgain();
  const settled = effect(() => {
    const stand = editor.view.stage.value.width > 0 && editor.view.open.value.every(({ page }) => page.isTrue.value || page.isMissing.value || page.drawn.value === 0);
    if (stand) whenIdle(() => (editor.isSettled.value = true));
  });
  // a picture that hangs holds nothing else up
  const late = setTimeout(() => (editor.isSettled.value = true), LATE);
  // a reload and the way back come to the same page, once the server has it
  const followed = effect(() => {
    const page = editor.book.pages.value[editor.view.number.value];
    if (!page?.picture.value) return;
    const address = new URL(location.href);
    address.searchParams.set("page", page.number.value === 0 ? "cover" : String(page.number.value));
    if (address.href !== location.href) history.replaceState(history.state, "", address);
  });
  return () => {
    clearTimeout(late);
    followed();
    alone();
    settled();
    unkept();
    unfetched();
    life.abort();
    editor.stop();
  };
}
