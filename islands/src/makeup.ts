// Blocks of a page, put right with keys and mouse: a block is chosen on the picture, dragged to another article, and each button
// has its key. What is done is the form's; without this the same fields and buttons do the same.

const form = document.querySelector<HTMLFormElement>("form[data-makeup]");
const svg = document.querySelector<SVGSVGElement>("[data-blocks] svg");

/** How far a pointer goes before it drags, in pixels. */
const STILL = 6;

function begin(form: HTMLFormElement, svg: SVGSVGElement): void {
  const blocks = [...form.querySelectorAll<HTMLInputElement>("input[name=block]")];
  const rects = [...svg.querySelectorAll<SVGRectElement>("rect[data-block]")];
  const to = form.elements.namedItem("to") as HTMLSelectElement;
  const button = (act: string) => form.querySelector<HTMLButtonElement>(`button[value=${act}]`);
  const chosen = () => Math.max(0, blocks.findIndex((block) => block.checked));
  let isSent = false;

  const send = (by: HTMLButtonElement | null) => {
    // a key that is held is one step
    if (!by || isSent) return;
    isSent = true;
    form.requestSubmit(by);
  };
  const show = () => {
    const at = chosen();
    for (const [index, rect] of rects.entries()) rect.classList.toggle("chosen", index === at);
    const article = rects[at]?.dataset.article;
    for (const rect of rects) rect.classList.toggle("same", article !== undefined && rect.dataset.article === article);
  };
  const choose = (index: number) => {
    const block = blocks[index];
    if (!block) return;
    block.checked = true;
    block.focus({ preventScroll: true });
    block.closest("li")?.scrollIntoView({ block: "nearest" });
    show();
  };
  const rectAt = ({ clientX, clientY }: PointerEvent) =>
    rects.find((rect) => {
      const { left, right, top, bottom } = rect.getBoundingClientRect();
      return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
    });

  form.addEventListener("change", show);
  let from: { x: number; y: number } | undefined;
  svg.addEventListener("pointerdown", (event) => {
    const rect = event.button === 0 ? rectAt(event) : undefined;
    if (!rect) return;
    choose(Number(rect.dataset.block));
    from = { x: event.clientX, y: event.clientY };
    svg.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  svg.addEventListener("pointerup", (event) => {
    const far = from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > STILL;
    from = undefined;
    const article = far ? rectAt(event)?.dataset.article : undefined;
    if (!article || article === rects[chosen()]?.dataset.article) return;
    to.value = article;
    send(button("move"));
  });
  svg.addEventListener("pointercancel", () => { from = undefined; });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    // who chooses an article types its first letters
    if (event.target instanceof HTMLSelectElement || event.target instanceof HTMLTextAreaElement) return;
    const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
    if (step) choose(Math.min(Math.max(chosen() + step, 0), blocks.length - 1));
    else if (event.repeat) return;
    else {
      const by = [...form.querySelectorAll<HTMLButtonElement>("button[data-key]")].find((one) => one.dataset.key === event.key.toUpperCase());
      if (!by) return;
      send(by);
    }
    event.preventDefault();
  });
  form.addEventListener("submit", () => { isSent = true; });
  // a page that comes back from the browser's memory is used again
  addEventListener("pageshow", () => { isSent = false; });
  svg.parentElement?.classList.add("live");
  choose(chosen());
}

if (form && svg) begin(form, svg);
