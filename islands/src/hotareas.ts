// Drawing a hot area on its page: a new one, or the one in the form, which is pushed along or held by a corner. It goes
// into the form's four fields; saving is the form's.
import { type Place, type Point, drawn, heldBy, holds, moved } from "./page/areas.js";
import { typed } from "./runtime/typed.js";

/** How far from a corner a finger may be, in pixels. */
const REACH = 18;

const drawing = document.querySelector<HTMLElement>("[data-drawing]");
const svg = drawing?.querySelector("svg");
const form = document.querySelector<HTMLFormElement>("form[data-area]");
/** A rectangle of the area: what the form says of it, and its picture. */
interface Block {
  read: () => Place | undefined;
  write: (place: Place) => void;
  rect: SVGRectElement;
}

const SIDES = ["x", "y", "width", "height"] as const;

const placeOf = (sides: (string | undefined)[]): Place | undefined => {
  const [x = Number.NaN, y = Number.NaN, width = Number.NaN, height = Number.NaN] = sides.map((side) => (side ? Number(typed(side)) : Number.NaN));
  return width > 0 && height > 0 && x >= 0 && y >= 0 ? { x, y, width, height } : undefined;
};

function begin(drawing: HTMLElement, svg: SVGSVGElement, form: HTMLFormElement): void {
  const drawnAlready = [...svg.querySelectorAll<SVGRectElement>(".chosen")];
  const rectOf = (index: number) => {
    const rect = drawnAlready[index] ?? svg.appendChild(document.createElementNS(svg.namespaceURI, "rect") as SVGRectElement);
    rect.classList.add("drawn");
    return rect;
  };
  drawing.classList.add("live");

  const fields = SIDES.map((name) => form.elements.namedItem(name) as HTMLInputElement);
  const blocks: Block[] = [
    {
      read: () => placeOf(fields.map((field) => field.value)),
      write: (place) => { SIDES.forEach((name, index) => { if (fields[index]) fields[index].value = `${place[name]}`; }); },
      rect: rectOf(0),
    },
  ];
  let current = 0;
  const further = (field: HTMLInputElement) => {
    const index = blocks.length;
    blocks.push({
      read: () => placeOf(field.value.split(/[\s,，、]+/u)),
      write: (place) => { field.value = SIDES.map((name) => place[name]).join(","); },
      rect: rectOf(index),
    });
    // whoever is in its field draws this one
    field.addEventListener("focus", () => { current = index; });
  };
  for (const field of form.querySelectorAll<HTMLInputElement>("input[name=more]")) further(field);
  // what the form lacks was emptied
  for (const rect of drawnAlready.slice(blocks.length)) rect.remove();
  for (const field of fields) field.addEventListener("focus", () => { current = 0; });

  const show = () => {
    for (const { read, rect } of blocks) {
      const place = read();
      for (const name of SIDES) rect.setAttribute(name, `${place?.[name] ?? 0}`);
    }
  };
  const at = ({ clientX, clientY }: PointerEvent): Point => {
    const { left, top, width, height } = svg.getBoundingClientRect();
    return { x: ((clientX - left) / width) * 1000, y: ((clientY - top) / height) * 1000 };
  };

  let pull: ((to: Point) => Place | undefined) | undefined;
  let turned = false;
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const from = at(event);
    const { width, height } = svg.getBoundingClientRect();
    const near = { x: (REACH / width) * 1000, y: (REACH / height) * 1000 };
    const isTouched = ({ read }: Block) => {
      const place = read();
      return place !== undefined && (heldBy(place, from, near) !== undefined || holds(place, from));
    };
    // one that has no place yet is drawn wherever it begins; else the one at hand lies above the others
    const isNew = current > 0 && !blocks[current]?.read();
    const touched = blocks.findIndex((block, index) => index === current && isTouched(block));
    const found = isNew ? -1 : touched < 0 ? blocks.findIndex(isTouched) : touched;
    if (found >= 0) current = found;
    const place = blocks[current]?.read();
    const corner = place && heldBy(place, from, near);
    if (corner) pull = (to) => drawn(corner, to);
    else if (place && holds(place, from)) pull = (to) => moved(place, to.x - from.x, to.y - from.y);
    // another area is opened by a tap, and nothing is drawn over it
    else if ((event.target as Element).closest("a") && !blocks.some((block) => block.rect === event.target)) return;
    else pull = (to) => drawn(from, to);
    turned = false;
    svg.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  svg.addEventListener("pointermove", (event) => {
    const place = pull?.(at(event));
    if (!place) return;
    turned = true;
    blocks[current]?.write(place);
    show();
  });
  for (const end of ["pointerup", "pointercancel"] as const) svg.addEventListener(end, () => { pull = undefined; });
  // what was drawn or pushed was no tap on a link
  svg.addEventListener("click", (event) => { if (turned) event.preventDefault(); turned = false; }, true);
  svg.addEventListener("dragstart", (event) => event.preventDefault());
  form.addEventListener("input", () => show());
  show();
}

if (drawing && svg && form) begin(drawing, svg, form);
