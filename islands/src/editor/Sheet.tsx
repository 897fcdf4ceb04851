// One page: its picture, over it real buttons in reading order, and under it the layers that stand in when a hand is at work.
import { useSignals } from "@preact/signals-react/runtime";
import { useContext, useEffect, useRef } from "react";
import type { ElementModel, PageModel } from "./Book.js";
import { pictures } from "./calls.js";
import { EditorContext } from "./context.js";
import { Layers, PageGuides, usePictureWidth } from "./Layers.js";
import { nameOf, nameOfPage, orderOf } from "./names.js";
import { usePlaced, useStyled } from "./placing.js";

interface Props {
  page: PageModel;
  /** The place of its corner on the spread, in mm. */
  x: number;
}

export function Sheet({ page, x }: Props) {
  useSignals();
  const editor = useContext(EditorContext);
  const ref = useStyled<HTMLElement>(
    (node) => {
      const scale = editor.view.scale.value;
      const { width, height } = editor.book.document.trim;
      node.style.inlineSize = `${width * scale}px`;
      node.style.blockSize = `${height * scale}px`;
      node.style.transform = `translate(${x * scale}px, 0)`;
    },
    [editor, x],
  );
  // a picture that is on its way hides nothing of what is known
  const live = editor.isMoving.value || editor.mode.value.kind !== "arrange" || !page.isTrue.value;
  return (
    <section ref={ref} className={live ? "paper live" : "paper"} aria-label={nameOfPage(page)} data-page={page.id}>
      <Layers page={page} />
      <Picture page={page} />
      <PageGuides />
      <Hits page={page} />
    </section>
  );
}

/** The page as the press has set it. A newer picture is decoded first, and shown only if it is still the wanted one. */
function Picture({ page }: { page: PageModel }) {
  useSignals();
  const editor = useContext(EditorContext);
  const ref = useRef<HTMLImageElement>(null);
  const width = usePictureWidth();
  const [drawn, number] = [page.drawn.value, page.number.value];
  useEffect(() => {
    if (drawn === 0) return;
    const address = pictures.page(editor.props.work, number, width, drawn);
    const next = new Image();
    next.src = address;
    let isWanted = true;
    next.decode().then(
      () => {
        if (!isWanted || !ref.current) return;
        ref.current.src = address;
        page.shown.value = drawn;
      },
      // the layers stay
      () => undefined,
    );
    return () => void (isWanted = false);
  }, [editor, page, drawn, number, width]);
  return <img ref={ref} className="picture" alt="" draggable={false} />;
}

function Hits({ page }: { page: PageModel }) {
  useSignals();
  const elements = page.elements.value;
  const places = new Map(elements.map((element, place) => [element.id, place]));
  const order = orderOf(page);
  return order.map((id) => {
    const place = places.get(id) ?? 0;
    const element = elements[place];
    return element && <Hit key={id} element={element} place={place} />;
  });
}

/** Something of the page as a button. Above others it is above them here, too, whatever is read first. */
function Hit({ element, place }: { element: ElementModel; place: number }) {
  useSignals();
  const editor = useContext(EditorContext);
  const ref = usePlaced<HTMLButtonElement>(element.placed, editor.view.scale);
  const isSelected = editor.selection.value.includes(element.id);
  // its name follows what it is and what stands beside it
  const { kind } = element.value.value;
  return (
    <button
      ref={ref}
      type="button"
      className={`hit ${kind}`}
      data-element={element.id}
      style={{ zIndex: place + 1 }}
      aria-pressed={isSelected}
      aria-label={nameOf(editor, element.id)}
      onFocus={(event) => {
        // a hand that presses selects by itself
        if (event.currentTarget.matches(":focus-visible") && !editor.isMoving.peek()) editor.select([element.id]);
      }}
    />
  );
}
