// Several things at once: on one line, at equal gaps, in one size.
import { useSignals } from "@preact/signals-react/runtime";
import { useContext } from "react";
import * as actions from "../actions.js";
import { EditorContext } from "../context.js";
import type { Rect } from "../document.js";
import { hundredth } from "../geometry.js";
import { boxOf } from "../gestures.js";
import { NumberField } from "./Number.js";

export function Several() {
  useSignals();
  const editor = useContext(EditorContext);
  const selected = editor.selected.value;
  const canEdit = editor.canEdit.value;
  const photos = selected.filter(({ value }) => value.value.kind === "photo");
  const [one, other] = photos;
  const free = selected.filter(({ value }) => !value.value.locked);
  const box = boxOf(free.map(({ value }) => ({ frame: value.value.frame, rotation: value.value.rotation ?? 0 })));
  const field = (label: string, value: number, change: (value: number) => Partial<Rect>) => (
    <NumberField label={label} unit="毫米" value={hundredth(value)} disabled={!canEdit} onChange={(to) => actions.placeAll(editor, change(to))} />
  );
  const button = (words: string, run: () => void, disabled = false) => (
    <button type="button" className="button small" disabled={disabled || !canEdit} onClick={run}>{words}</button>
  );
  return (
    <div className="properties">
      <h2>已选中 {selected.length} 件</h2>
      {free.length > 1 && (
        <fieldset>
          <legend>整体的位置与大小</legend>
          {field("左", box.x, (x) => ({ x }))}
          {field("上", box.y, (y) => ({ y }))}
          {field("宽", box.width, (width) => ({ width }))}
          {field("高", box.height, (height) => ({ height }))}
        </fieldset>
      )}
      <fieldset>
        <legend>对齐</legend>
        <div className="row">
          {button("左对齐", () => actions.align(editor, "left"))}
          {button("水平居中", () => actions.align(editor, "centre"))}
          {button("右对齐", () => actions.align(editor, "right"))}
          {button("顶端对齐", () => actions.align(editor, "top"))}
          {button("垂直居中", () => actions.align(editor, "middle"))}
          {button("底端对齐", () => actions.align(editor, "bottom"))}
        </div>
      </fieldset>
      <fieldset>
        <legend>间距与大小</legend>
        <div className="row">
          {button("横向等距", () => actions.distribute(editor, "x"), selected.length < 3)}
          {button("纵向等距", () => actions.distribute(editor, "y"), selected.length < 3)}
          {button("同样大小", () => actions.makeSameSize(editor))}
        </div>
      </fieldset>
      <div className="row">
        {one && other && photos.length === 2 && button("交换两张照片", () => actions.swapPhotos(editor, one, other))}
        {button("复制", () => actions.duplicate(editor))}
        {button("锁定或解锁", () => actions.toggleLock(editor))}
        {button("删除", () => actions.remove(editor))}
      </div>
    </div>
  );
}
