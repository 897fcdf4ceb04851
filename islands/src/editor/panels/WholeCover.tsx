// The sheet that the front is a part of: back and spine beside it, as a binding makes them. Nothing of that is edited here.
import { useSignals } from "@preact/signals-react/runtime";
import { useContext } from "react";
import { pictures, widthFor } from "../calls.js";
import { EditorContext } from "../context.js";
import { place, useDecoded, useStyled } from "../placing.js";

export function WholeCover() {
  useSignals();
  const editor = useContext(EditorContext);
  const { view, book, props } = editor;
  const picture = book.pages.value[0]?.picture.value;
  const width = widthFor((view.cover.value?.width ?? 0) * view.scale.value);
  const shown = useDecoded(picture && pictures.cover(props.work, width, picture.revision), picture?.revision ?? 0);
  const ref = useStyled<HTMLElement>(
    (node) => {
      const frame = view.cover.value;
      if (frame) place(node, { frame, rotation: 0 }, view.scale.value);
    },
    [view],
  );
  return (
    <figure ref={ref} className="whole-cover">
      {shown && <img src={shown.address} alt="封底和书脊" draggable={false} />}
      <figcaption>按“{props.cover?.binding}”画的；书脊和封底上的字是<a href={`/manager/opus_setting/${props.work}`}>书名和作者</a></figcaption>
    </figure>
  );
}
