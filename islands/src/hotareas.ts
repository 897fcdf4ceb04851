// Drawing a hot area on its page: a new one, or the one in the form, which is pushed along or held by a corner. It goes
// into the form's four fields; saving is the form's.
import { type Place, type Point, drawn, heldBy, holds, moved } from "./page/areas.js";

/** How far from a corner a finger may be, in pixels. */
const REACH = 18;

const drawing = document.querySelector<HTMLElement>("[data-drawing]");
const svg = drawing?.querySelector("svg");
const form = document.querySelector<HTMLFormElement>("form[data-area]");
if (drawing && svg && form) begin(drawing, svg, form);

function begin(drawing: HTMLElement, svg: SVGSVGElement, form: HTMLFormElement): void {
  const fields = (["x", "y", "width", "height"] as const).map((name) => [name, form.elements.namedItem(name) as HTMLInputElement] as const);
  const rect = svg.querySelector<SVGRectElement>(".chosen") ?? svg.appendChild(document.createElementNS(svg.namespaceURI, "rect") as SVGRectElement);
  rect.classList.add("drawn");
  drawing.classList.add("live");

  const inForm = (): Place | undefined => {
    const [x = 0, y = 0, width = 0, height = 0] = fields.map(([, field]) => Number(field.value || Number.NaN));
    return width > 0 && height > 0 && x >= 0 && y >= 0 ? { x, y, width, height } : undefined;
  };
  const show = (place = inForm()) => {
    for (const [name] of fields) rect.setAttribute(name, `${place?.[name] ?? 0}`);
  };
  const put = (place: Place) => {
    for (const [name, field] of fields) field.value = `${place[name]}`;
    show(place);
  };
  const at = ({ clientX, clientY }: PointerEvent): Point => {
    const { left, top, width, height } = svg.getBoundingClientRect();
    return { x: ((clientX - left) / width) * 1000, y: ((clientY - top) / height) * 1000 };
  };

  let pull: ((to: Point) => Place | undefined) | undefined;
  let turned = false;
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const [from, place] = [at(event), inForm()];
    const { width, height } = svg.getBoundingClientRect();
    const corner = place && heldBy(place, from, { x: (REACH / width) * 1000, y: (REACH / height) * 1000 });
    if (corner) pull = (to) => drawn(corner, to);
    else if (place && holds(place, from)) pull = (to) => moved(place, to.x - from.x, to.y - from.y);
    // another area is opened by a tap, and nothing is drawn over it
    else if ((event.target as Element).closest("a")) return;
    else pull = (to) => drawn(from, to);
    turned = false;
    svg.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  svg.addEventListener("pointermove", (event) => {
    const place = pull?.(at(event));
    if (!place) return;
    turned = true;
    put(place);
  });
  for (const end of ["pointerup", "pointercancel"] as const) svg.addEventListener(end, () => { pull = undefined; });
  // what was drawn or pushed was no tap on a link
  svg.addEventListener("click", (event) => { if (turned) event.preventDefault(); turned = false; }, true);
  svg.addEventListener("dragstart", (event) => event.preventDefault());
  form.addEventListener("input", () => show());
  show();
}
