// One page: its picture, over it real buttons in reading order, and under it the layers that stand in when a hand is at work.
import { useSignals } from "@preact/signals-react/runtime";
import { useContext, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ElementModel, PageModel } from "./Book.js";
import { pictures } from "./calls.js";
import { EditorContext } from "./context.js";
import { Layers, PageGuides, usePictureWidth } from "./Layers.js";
import { kindOf, nameOfPage } from "./names.js";
import { usePlaced, useStyled } from "./placing.js";
import { isFrugal } from "../runtime/frugal.js";

/** Pixels of the smallest thing that can be pressed (WCAG 2.2, 2.5.8). */
const TARGET = 24;

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
  const isAtWork = editor.isMoving.value || editor.mode.value.kind !== "arrange" || page.drawn.value === 0;
  // a picture that is on its way hides nothing of what is known
  const live = isAtWork || !page.isTrue.value;
  // what a hand may want is fetched when the pages stand; on a slow line when the hand has shown where
  const isTouched = editor.selected.value.some(({ id }) => page.elements.value.some((element) => element.id === id));
  const isComing = page.shown.value !== 0 && !page.isTrue.value;
  const hasLayers = isAtWork || page.isMissing.value || isComing || (editor.isSettled.value && (isTouched || !isFrugal()));
  return (
    <section ref={ref} className={live ? "paper live" : "paper"} tabIndex={-1} aria-label={nameOfPage(page)} data-page={page.id}>
      {hasLayers && <Layers page={page} />}
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
  const drawn = page.drawn.value;
  const picture = page.picture.value;
  const isSettled = editor.isSettled.value;
  // what is shown already is shown from the first
  const [begun] = useState(page.address);
  useEffect(() => {
    if (drawn === 0 || !picture) return;
    // a finer one than the page came with has time
    if (!isSettled && page.shown.peek() === drawn) return;
    const address = pictures.page(editor.props.work, picture.number, width, picture.revision);
    if (page.shown.peek() === drawn && ref.current?.getAttribute("src") === address) return;
    const next = new Image();
    next.src = address;
    let isWanted = true;
    next.decode().then(
      () => {
        if (!isWanted || !ref.current) return;
        ref.current.src = address;
        page.show(address, drawn);
      },
      // the layers stay
      () => {
        if (isWanted) page.isMissing.value = true;
      },
    );
    return () => void (isWanted = false);
  }, [editor, page, drawn, picture, width, isSettled]);
  return <img ref={ref} className="picture" src={begun} alt="" draggable={false} decoding="sync" hidden={page.shown.value === 0} />;
}

function Hits({ page }: { page: PageModel }) {
  useSignals();
  const elements = page.elements.value;
  const order = page.reading.value;
  const editor = useContext(EditorContext);
  const box = useRef<HTMLDivElement>(null);
  const focused = useRef<HTMLElement>(null);
  const wanted = editor.wanted.value;
  useLayoutEffect(() => {
    const paper = box.current?.closest<HTMLElement>(".paper");
    const target = wanted === page.id ? paper : box.current?.querySelector<HTMLElement>(`[data-element="${wanted ?? ""}"]`);
    if (target) {
      target.focus({ preventScroll: true });
      editor.focus(undefined);
    } else if (document.activeElement === document.body && focused.current) {
      // a button that is put elsewhere in the order loses the focus, and one that is gone leaves it to the page
      (focused.current.isConnected ? focused.current : paper)?.focus({ preventScroll: true });
    }
  }, [order, wanted, editor, page]);
  return (
    <div ref={box} onFocus={({ target }) => (focused.current = target)} onBlur={({ relatedTarget }) => relatedTarget && (focused.current = null)}>
      {order.map((id, number) => {
        const place = elements.findIndex((element) => element.id === id);
        const element = elements[place];
        return element && <Hit key={id} element={element} place={place} number={`第 ${number + 1} 个，共 ${order.length} 个`} />;
      })}
    </div>
  );
}

interface HitProps {
  element: ElementModel;
  /** Over how many others it lies. */
  place: number;
  /** 第 3 个，共 7 个. */
  number: string;
}

/** Something of the page as a button. Above others it is above them here, too, whatever is read first. */
function Hit({ element, place, number }: HitProps) {
  useSignals();
  const editor = useContext(EditorContext);
  const ref = usePlaced<HTMLButtonElement>(element.placed, editor.view.scale, TARGET);
  const isSelected = editor.selection.value.includes(element.id);
  const value = element.value.value;
  // the focus says by itself what it is on
  const select = () => {
    if (!editor.selection.peek().includes(element.id)) editor.select([element.id], { quietly: true });
  };
  return (
    <button
      ref={ref}
      type="button"
      className="hit"
      data-element={element.id}
      style={{ zIndex: place + 1 }}
      aria-pressed={isSelected}
      aria-label={`${kindOf(editor, value)}，${number}${value.locked ? "，已锁定" : ""}`}
      onFocus={({ currentTarget }) => {
        // a hand that presses selects by itself
        if (currentTarget.matches(":focus-visible") && !editor.isMoving.peek() && editor.wanted.peek() !== element.id) select();
      }}
      onClick={({ detail }) => {
        // a screen reader presses without a hand
        if (detail === 0) select();
      }}
    />
  );
}
