// What is selected, by its numbers and choices; with nothing selected, the page.
import { useSignals } from "@preact/signals-react/runtime";
import { useContext } from "react";
import * as actions from "../actions.js";
import type { ElementModel } from "../Book.js";
import { EditorContext } from "../context.js";
import { keepsShape, type Rect } from "../document.js";
import { followed, roundCrop } from "../crop.js";
import { hundredth, roundRect, tidyAngle } from "../geometry.js";
import { kindOf } from "../names.js";
import { Several } from "./Several.js";
import { PhotoChoices } from "./PhotoChoices.js";
import { TextChoices } from "./TextChoices.js";
import { ShapeChoices } from "./ShapeChoices.js";
import { PageChoices } from "./PageChoices.js";
import { NumberField } from "./Number.js";

export default function Properties() {
  useSignals();
  const editor = useContext(EditorContext);
  const selected = editor.selected.value;
  const [element] = selected;
  if (!element) return <PageChoices />;
  if (selected.length > 1) return <Several />;
  return <One key={element.id} element={element} />;
}

function One({ element }: { element: ElementModel }) {
  useSignals();
  const editor = useContext(EditorContext);
  const value = element.value.value;
  const { frame, rotation = 0, locked = false } = value;
  const isFixed = locked || !editor.canEdit.value;
  const setFrame = (change: Partial<Rect>, word: string) => {
    const to = roundRect({ ...frame, ...change });
    const isRigid = keepsShape(value);
    if (isRigid && change.width !== undefined) to.height = hundredth((frame.height * to.width) / frame.width);
    if (isRigid && change.height !== undefined) to.width = hundredth((frame.width * to.height) / frame.height);
    const changes = actions.set(editor, element, "frame", to);
    if (value.kind === "photo") changes.push(...actions.set(editor, element, "crop", roundCrop(followed(value.crop, frame, to))));
    editor.commit(word, changes, `fields ${element.id}`);
  };
  return (
    <div className="properties">
      <h2>{kindOf(editor, value)}</h2>
      <fieldset>
        <legend>位置与大小</legend>
        <NumberField label="左" unit="毫米" value={hundredth(frame.x)} disabled={isFixed} onChange={(x) => setFrame({ x }, "移动")} />
        <NumberField label="上" unit="毫米" value={hundredth(frame.y)} disabled={isFixed} onChange={(y) => setFrame({ y }, "移动")} />
        <NumberField label="宽" unit="毫米" min={1} value={hundredth(frame.width)} disabled={isFixed} onChange={(width) => setFrame({ width }, "改大小")} />
        <NumberField label="高" unit="毫米" min={1} value={hundredth(frame.height)} disabled={isFixed} onChange={(height) => setFrame({ height }, "改大小")} />
        <NumberField
          label="角度"
          unit="度"
          value={tidyAngle(rotation)}
          disabled={isFixed}
          onChange={(angle) => editor.commit("旋转", actions.set(editor, element, "rotation", tidyAngle(angle)), `angle ${element.id}`)}
        />
      </fieldset>
      {value.kind === "photo" && <PhotoChoices element={element} value={value} isFixed={isFixed} />}
      {value.kind === "text" && <TextChoices element={element} value={value} isFixed={isFixed} />}
      {value.kind === "code" && <p className="hint">扫码打开：{value.address}</p>}
      {value.kind === "shape" && <ShapeChoices element={element} value={value} isFixed={isFixed} />}
      <Acts isLocked={locked} isFixed={isFixed} />
    </div>
  );
}

function Acts({ isLocked, isFixed }: { isLocked: boolean; isFixed: boolean }) {
  useSignals();
  const editor = useContext(EditorContext);
  const button = (words: string, run: () => void, disabled = isFixed) => (
    <button type="button" className="button small" disabled={disabled} onClick={run}>{words}</button>
  );
  return (
    <fieldset>
      <legend>层次与其他</legend>
      <div className="row">
        {button("上移一层", () => actions.order(editor, "up"))}
        {button("下移一层", () => actions.order(editor, "down"))}
        {button("最上层", () => actions.order(editor, "front"))}
        {button("最下层", () => actions.order(editor, "back"))}
        {button("复制一个", () => actions.duplicate(editor), !editor.canEdit.value)}
        {button(isLocked ? "解锁" : "锁定", () => actions.toggleLock(editor), !editor.canEdit.value)}
        {button("删除", () => actions.remove(editor))}
      </div>
    </fieldset>
  );
}
