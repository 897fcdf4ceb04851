// Above the table: the way back, undoing, what can be added, how large the pages are, and where the work is kept.
import { useSignals } from "@preact/signals-react/runtime";
import { useContext } from "react";
import * as actions from "./actions.js";
import { setAlone, setOverview } from "./alone.js";
import { EditorContext } from "./context.js";
import { pressing } from "./pressing.js";
import type { Kept, Sent } from "./Saver.js";

export function Toolbar() {
  useSignals();
  const editor = useContext(EditorContext);
  const { last, next } = editor.history;
  const canEdit = editor.canEdit.value;
  return (
    <header className="tools">
      <h1>
        <a href={`/manager/opus/${editor.props.work}`} aria-label="回到作品">‹</a>
        <span>编辑《{editor.book.document.title}》</span>
      </h1>
      <div className="group" role="group" aria-label="步骤">
        <button type="button" {...pressing(last !== undefined && canEdit, () => editor.undo())} title={last ? `撤销：${last.name}（Ctrl+Z）` : undefined}>撤销</button>
        <button type="button" {...pressing(next !== undefined && canEdit, () => editor.redo())} title={next ? `重做：${next.name}（Ctrl+Shift+Z）` : undefined}>重做</button>
      </div>
      <Zoom />
      <div className="group" role="group" aria-label="添加">
        <button type="button" disabled={!canEdit} onClick={() => actions.addText(editor)}>加文字</button>
        <button type="button" disabled={!canEdit} onClick={() => actions.addShape(editor, "rect")} aria-label="加矩形">▭</button>
        <button type="button" disabled={!canEdit} onClick={() => actions.addShape(editor, "ellipse")} aria-label="加椭圆">◯</button>
        <button type="button" disabled={!canEdit} onClick={() => actions.addShape(editor, "line")} aria-label="加线条">╱</button>
        <button type="button" disabled={!canEdit} onClick={() => actions.addShape(editor, "sprig")} aria-label="加纹样">❦</button>
      </div>
      <State />
    </header>
  );
}

function Zoom() {
  useSignals();
  const editor = useContext(EditorContext);
  const percent = Math.round(editor.view.zoom.value * 100);
  return (
    <div className="group zoom" role="group" aria-label="缩放">
      <button type="button" aria-label="缩小" onClick={() => editor.view.zoomBy(0.8)}>−</button>
      <button type="button" aria-label="适合窗口" title={`现在 ${percent}%`} onClick={() => editor.view.fitAll()}>适合</button>
      <button type="button" aria-label="放大" onClick={() => editor.view.zoomBy(1.25)}>+</button>
      <button type="button" aria-pressed={editor.isOverview.value} title="所有书页（O）" onClick={() => setOverview(editor, !editor.isOverview.peek())}>总览</button>
      <button type="button" className="alone" aria-pressed={editor.isAlone.value} title="只看书页（F）" onClick={() => setAlone(editor, !editor.isAlone.peek())}>专注</button>
    </div>
  );
}

// words that come and go with every save are as wide as those they take turns with: on a phone the stage would jump
const KEPT: Record<Kept, string> = { kept: "已存本机", keeping: "存本机中", failed: "本机存不下" };
const SENT: Record<Sent, string> = {
  saved: "已存服务器",
  sending: "存服务器中",
  offline: "离线，尚未排版",
  "signed-out": "等您登录",
  conflict: "等您选择",
  refused: "没有存上",
  gone: "没有存上",
};

/** What this device has and what the server has, always apart. */
function State() {
  useSignals();
  const editor = useContext(EditorContext);
  const kept = editor.saver.kept.value;
  const sent = editor.saver.sent.value;
  const isGood = sent === "saved" || sent === "sending";
  return (
    <p className="keeping" role="status">
      <span className={kept === "failed" ? "bad" : "good"}>{KEPT[kept]}</span>
      <span className={isGood ? "good" : "bad"}>{SENT[sent]}</span>
    </p>
  );
}
