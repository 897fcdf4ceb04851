// What pages are made of while something is moved: each thing by itself. Text, months, codes, ornaments and PDF pages are the
// press's own pictures; photos are their derivatives, cut by styles; shapes are styles.
import { useSignals } from "@preact/signals-react/runtime";
import { type ReactElement, useContext } from "react";
import type { ElementModel, PageModel } from "./Book.js";
import { EditorContext } from "./context.js";
import { BLEED, type Element, ornamentOf, type PhotoElement, type ShapeElement, type TextElement } from "./document.js";
import { pictures, widthFor } from "./calls.js";
import { roundedBy } from "./geometry.js";
import { useDecoded, usePlaced, useStyled } from "./placing.js";
import { isFrugal } from "../runtime/frugal.js";
import { borderStyle, inkOf, lookOf, paperOf, textStyle } from "./typography.js";

/** The width of pictures for a page as it is shown now. */
export function usePictureWidth(): number {
  useSignals();
  const editor = useContext(EditorContext);
  // drawn again when another width is wanted, not with every step of a zoom
  return widthFor(editor.book.document.trim.width * editor.view.scale.value * Math.min(devicePixelRatio, 2));
}

/** All things of a page over its background. */
export function Layers({ page }: { page: PageModel }) {
  useSignals();
  const editor = useContext(EditorContext);
  const width = usePictureWidth();
  const look = page.look.value;
  const backdrop = page.backdrop.value;
  const left = editor.left.value;
  return (
    <div className="layers" aria-hidden="true" style={{ background: paperOf(editor, look) }}>
      {backdrop !== 0 && <img className="backdrop" src={pictures.backdrop(editor.props.work, page.id, width, backdrop)} alt="" draggable={false} />}
      {page.elements.value.flatMap((element) => {
        const stays = left.find(({ id }) => id === element.id);
        const own = <Layer key={element.id} element={element} page={page} />;
        return stays ? [<Layer key={`${element.id} stays`} element={stays} page={page} />, own] : [own];
      })}
    </div>
  );
}

/** Whether the browser has nothing of its own to draw it with. */
const isSet = (value: Element) => ["pdf", "month", "code"].includes(value.kind) || (value.kind === "shape" && ornamentOf(value.shape) !== undefined);

function Layer({ element, page }: { element: ElementModel; page: PageModel }) {
  useSignals();
  const editor = useContext(EditorContext);
  const ref = usePlaced<HTMLDivElement>(element.placed, editor.view.scale);
  const value = element.value.value;
  const mode = editor.mode.value;
  // on a phone it is written beside the page
  const isWritten = mode.kind === "write" && mode.id === element.id && !editor.view.isNarrow.value;
  return (
    <div ref={ref} className={`layer ${value.kind}`} hidden={isWritten}>
      {value.kind === "photo" && <Photo element={element} value={value} page={page} />}
      {value.kind === "shape" && !ornamentOf(value.shape) && <Shape value={value} page={page} />}
      {value.kind === "text" && <Words element={element} value={value} page={page} />}
      {isSet(value) && <Set element={element} />}
    </div>
  );
}

/** A photo's part in its frame, with what the theme has around photos, or the member's own border. */
function Photo({ element, value, page }: { element: ElementModel; value: PhotoElement; page: PageModel }) {
  useSignals();
  const editor = useContext(EditorContext);
  const scale = editor.view.scale.value;
  const look = lookOf(editor, page.look.value);
  const { trim } = editor.book.document;
  const { x, y, width, height } = value.frame;
  // what runs off the page has neither border nor corners
  const isInside = x > 0 && y > 0 && x + width < trim.width && y + height < trim.height;
  const dress = isInside && look ? look : undefined;
  const mat = value.border ? 0 : (dress?.mat ?? 0);
  const line = value.border ? 0 : (dress?.lineWidth ?? 0);
  const { mask } = value;
  const half = Math.min(width, height) / 2;
  const radius = Math.min(value.radius ?? dress?.radius ?? 0, half) * scale;
  /** The corners of what lies so many mm around the photo: those of a mask have the same centre. */
  const corners = (by = 0) => (mask ? roundedBy(mask, `${(half + by) * scale}px`) : radius);
  const border = borderStyle(editor, page.look.value, value.border, scale);
  const picture = useCropped(element);
  // that the whole photo has, of which the frame shows a part
  const pixels = Math.max(width / value.crop.width, height / value.crop.height) * scale * devicePixelRatio;
  return (
    <>
      {mat > 0 && <i className="mat" style={{ inset: -mat * scale, borderRadius: corners(mat), border: line > 0 ? `${line * scale}px solid ${dress?.lineColour}` : undefined }} />}
      {mat === 0 && line > 0 && <i className="mat" style={{ inset: -line * scale, borderRadius: corners(line), background: dress?.lineColour }} />}
      <div className="window" style={{ borderRadius: corners(), background: look?.empty }}>
        <img ref={picture} src={pictures.photo(value.photo, pixels > 240 && !isFrugal() ? 1280 : 320)} alt="" draggable={false} decoding="async" />
      </div>
      {border && <i className="edge" style={{ border, borderRadius: corners() }} />}
    </>
  );
}

/** An image that lies so that its crop fills the frame around it. */
export function useCropped(element: ElementModel) {
  return useStyled<HTMLImageElement>(
    (image) => {
      const crop = element.crop.value ?? { x: 0, y: 0, width: 1, height: 1 };
      image.style.width = `${100 / crop.width}%`;
      image.style.height = `${100 / crop.height}%`;
      image.style.left = `${(-crop.x / crop.width) * 100}%`;
      image.style.top = `${(-crop.y / crop.height) * 100}%`;
    },
    [element],
  );
}

function Shape({ value, page }: { value: ShapeElement; page: PageModel }) {
  useSignals();
  const editor = useContext(EditorContext);
  const scale = editor.view.scale.value;
  const look = page.look.value;
  const { border, fill, radius = 0, shape, frame } = value;
  if (shape === "line") {
    if (!border || border.width === 0) return null;
    return <i className="line" style={{ blockSize: Math.min(border.width, frame.height) * scale, background: inkOf(editor, look, border.colour) }} />;
  }
  const round = shape === "ellipse" ? "50%" : Math.min(radius, frame.width / 2, frame.height / 2) * scale;
  return <i className="area" style={{ background: fill && inkOf(editor, look, fill), border: borderStyle(editor, look, border, scale), borderRadius: round }} />;
}

/** A text as the press has set it; a draft of it until that has come. */
function Words({ element, value, page }: { element: ElementModel; value: TextElement; page: PageModel }) {
  useSignals();
  const editor = useContext(EditorContext);
  const draft = <div className="draft" style={textStyle(editor, page, value, editor.view.scale.value)}>{value.text}</div>;
  return <Set element={element} until={draft} />;
}

/** The press's own picture of one thing. A newer one takes its place when it is decoded. */
function Set({ element, until }: { element: ElementModel; until?: ReactElement }) {
  useSignals();
  const editor = useContext(EditorContext);
  const { work, layerMargin } = editor.props;
  const width = usePictureWidth();
  const scale = editor.view.scale.value;
  const drawn = element.drawn.value;
  const { kind, frame } = element.value.value;
  const { trim } = editor.book.document;
  const wanted = drawn === 0 ? undefined : pictures.layer(work, element.id, width, drawn);
  const shown = useDecoded(wanted, drawn);
  // a draft says more than an old picture; of what has none, the old picture stays
  if (!shown || (until && shown.drawn !== drawn)) return until ?? null;
  // words keep their size when their frame is pulled; anything else is pulled with it
  const [across, down] = kind === "text" ? [`${scale}px`, `${scale}px`] : [`${100 / frame.width}%`, `${100 / frame.height}%`];
  const tail = kind === "text" ? trim.height : 0;
  const style = {
    left: `calc(${-layerMargin} * ${across})`,
    top: `calc(${-layerMargin} * ${down})`,
    width: `calc(${frame.width + 2 * layerMargin} * ${across})`,
    height: `calc(${frame.height + 2 * layerMargin + tail} * ${down})`,
  };
  return <img className="set" style={style} src={shown.address} alt="" draggable={false} />;
}

/** Where the knife goes, and the border that nothing important may cross. */
export function PageGuides() {
  useSignals();
  const editor = useContext(EditorContext);
  const { width, height } = editor.book.document.trim;
  return (
    <svg className="margins" viewBox={`${-BLEED} ${-BLEED} ${width + 2 * BLEED} ${height + 2 * BLEED}`} aria-hidden="true">
      <rect x={5} y={5} width={width - 10} height={height - 10} />
    </svg>
  );
}
