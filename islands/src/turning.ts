// A book to leaf through: of its openings, which lie side by side without this script, one is seen at a time, and a leaf turns
// to the next one. Whoever wants little motion is shown the next one at once.

/** How long a leaf turns, in ms. */
const TURN = 700;
/** A picture that takes longer is shown when it comes, in ms. */
const WAIT = 1200;
/** A finger that moves as far turns a leaf, in px. */
const SWIPE = 40;

for (const book of document.querySelectorAll<HTMLElement>("[data-turning]")) leaf(book);

function leaf(book: HTMLElement): void {
  const stage = book.querySelector<HTMLElement>(".openings");
  const openings = [...book.querySelectorAll<HTMLElement>(".opening")];
  if (!stage || openings.length < 2) return;
  const isHung = book.classList.contains("hung");
  const [back, on, place] = [button("‹", "往前翻"), button("›", "往后翻"), document.createElement("output")];
  const bar = document.createElement("div");
  bar.className = "row";
  bar.append(back, place, on);
  book.dataset.turning = "on";
  stage.scrollLeft = 0;
  stage.after(bar);
  let at = 0;
  let asked = 0;

  const shown = (index: number) => openings.forEach((opening, other) => (opening.hidden = other !== index));
  const tell = () => {
    place.textContent = openings[at]?.querySelector("figcaption")?.textContent ?? "";
    back.ariaDisabled = String(at === 0);
    on.ariaDisabled = String(at === openings.length - 1);
    for (const near of [at - 1, at + 1]) for (const image of openings[near]?.querySelectorAll("img") ?? []) image.loading = "eager";
  };

  const turn = async (step: 1 | -1) => {
    const [from, to] = [openings[at], openings[at + step]];
    if (!from || !to) return;
    const mine = (asked += 1);
    stage.querySelector(".over")?.remove();
    at += step;
    tell();
    await Promise.race([Promise.all([...to.querySelectorAll("img")].map(ready)), new Promise((done) => setTimeout(done, WAIT))]);
    if (mine !== asked) return;
    shown(at);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const [earlier, later] = step > 0 ? [from, to] : [to, from];
    await turned(to, earlier, later, step, isHung);
  };

  back.onclick = () => void turn(-1);
  on.onclick = () => void turn(1);
  stage.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key] as 1 | -1 | undefined;
    if (!step) return;
    event.preventDefault();
    void turn(step);
  });
  let began: number | undefined;
  // a second finger, another button, and a finger that the page scrolls by turn nothing
  stage.addEventListener("pointerdown", ({ clientX, button, isPrimary }) => (began = isPrimary && button === 0 ? clientX : undefined));
  stage.addEventListener("pointercancel", () => (began = undefined));
  stage.addEventListener("pointerup", ({ clientX }) => {
    if (began === undefined) return;
    const moved = clientX - began;
    began = undefined;
    if (Math.abs(moved) >= SWIPE) return void turn(moved < 0 ? 1 : -1);
    const { left, width } = stage.getBoundingClientRect();
    void turn(clientX < left + width / 2 ? -1 : 1);
  });
  shown(0);
  tell();
}

/** One leaf over the opening that is shown: what was on its sides, and what comes to lie under them. */
async function turned(to: HTMLElement, earlier: HTMLElement, later: HTMLElement, step: 1 | -1, isHung: boolean): Promise<void> {
  const under = to.querySelector("div");
  const side = (opening: HTMLElement, last: boolean) => {
    const halves = opening.querySelectorAll(".half");
    return halves[last ? halves.length - 1 : 0]?.cloneNode(true) ?? "";
  };
  const over = document.createElement("div");
  over.className = "over";
  over.ariaHidden = "true";
  const [still, moving] = [document.createElement("div"), document.createElement("div")];
  still.className = step > 0 ? "still" : "still right";
  moving.className = "moving";
  moving.append(side(earlier, true));
  if (!isHung) {
    still.append(step > 0 ? side(earlier, false) : side(later, true));
    moving.append(side(later, false));
    over.append(still);
  }
  over.append(moving);
  under?.append(over);
  const flat = isHung ? "rotateX(0)" : "rotateY(0)";
  const away = isHung ? "rotateX(110deg)" : "rotateY(-180deg)";
  const frames = step > 0 ? [flat, away] : [away, flat];
  await moving.animate({ transform: frames }, { duration: TURN, easing: "ease-in-out", fill: "both" }).finished.catch(() => undefined);
  over.remove();
}

/** When a picture can be shown; one that never can holds nothing up. */
function ready(image: HTMLImageElement): Promise<void> {
  image.loading = "eager";
  return image.decode().catch(() => undefined);
}

function button(sign: string, name: string): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button small";
  made.textContent = sign;
  made.ariaLabel = name;
  return made;
}
