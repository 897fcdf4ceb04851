// A photo: which part of it is shown, its border, and another one in its place.
import { useSignals } from "@preact/signals-react/runtime";
import { useContext } from "react";
import * as actions from "../actions.js";
import type { ElementModel } from "../Book.js";
import { EditorContext } from "../context.js";
import { fill, roundCrop } from "../crop.js";
import type { PhotoElement } from "../document.js";
import { LIMITS } from "../../generated/edit_rules.js";
import { BetterChoices } from "./BetterChoices.js";
import { BorderChoices } from "./BorderChoices.js";
import { MaskChoices } from "./MaskChoices.js";

interface Props {
  element: ElementModel;
  value: PhotoElement;
  isFixed: boolean;
}

export function PhotoChoices({ element, value, isFixed }: Props) {
  useSignals();
  const editor = useContext(EditorContext);
  const mode = editor.mode.value;
  const isCropped = mode.kind === "crop" && mode.id === element.id;
  const photo = editor.library.known.value.get(value.photo);
  const step = 2;
  const button = (words: string, run: () => void, label = words) => (
    <button type="button" className="button small" disabled={isFixed} aria-label={label} onClick={run}>{words}</button>
  );
  return (
    <>
      <fieldset>
        <legend>裁切</legend>
        <div className="row">
          {button(isCropped ? "完成裁切" : "裁切", () => editor.setMode(isCropped ? { kind: "arrange" } : { kind: "crop", id: element.id }))}
          {button("−", () => actions.changeCrop(editor, { zoom: 1 / 1.1 }), "照片缩小")}
          {button("+", () => actions.changeCrop(editor, { zoom: 1.1 }), "照片放大")}
          {button("←", () => actions.changeCrop(editor, { dx: -step, dy: 0 }), "照片左移")}
          {button("→", () => actions.changeCrop(editor, { dx: step, dy: 0 }), "照片右移")}
          {button("↑", () => actions.changeCrop(editor, { dx: 0, dy: -step }), "照片上移")}
          {button("↓", () => actions.changeCrop(editor, { dx: 0, dy: step }), "照片下移")}
          {photo && button("居中填满", () => editor.commit("裁切", actions.set(editor, element, "crop", roundCrop(fill(photo, value.frame)))))}
        </div>
        {photo && <Sharpness value={value} width={photo.width} height={photo.height} />}
      </fieldset>
      <BetterChoices key={value.photo} element={element} isFixed={isFixed} />
      <MaskChoices mask={value.mask} isFixed={isFixed} />
      <BorderChoices border={value.border} radius={value.radius} hasRadius={!value.mask} isFixed={isFixed} none="按风格" />
    </>
  );
}

/** Cropped pixels ÷ (frame mm ÷ 25.4), the smaller of both directions. */
function Sharpness({ value, width, height }: { value: PhotoElement; width: number; height: number }) {
  const across = (width * value.crop.width * 25.4) / value.frame.width;
  const down = (height * value.crop.height * 25.4) / value.frame.height;
  const dpi = Math.round(Math.min(across, down));
  const isGood = dpi >= LIMITS.goodDpi;
  const words = isGood ? "清晰" : dpi >= LIMITS.coarseBelowDpi ? "还可以" : "会模糊";
  return <p className={isGood ? "hint" : "hint warn"}>{`印出来 ${dpi} dpi，${words}`}</p>;
}
