// How the words are read: their size and the light, kept for this device; and read aloud where the browser has a voice. The
// buttons are here because only a script can do what they say.
import { read, write } from "../runtime/storage.js";

const SIZE = "read:text";
const NIGHT = "read:night";
/** Sizes of the words, from the usual one on; how large each is say the styles. */
const LARGEST = 3;
const root = document.documentElement;

const size = (): number => {
  const kept = read(SIZE);
  return typeof kept === "number" && kept >= 0 && kept <= LARGEST ? Math.trunc(kept) : 0;
};

/** Shows everything as this device was told before. */
export function applyLooks(): void {
  root.toggleAttribute("data-night", read(NIGHT) === true);
  if (size() > 0) root.dataset.text = `${size()}`;
  else delete root.dataset.text;
}

function button(text: string, press: (made: HTMLButtonElement) => void): HTMLButtonElement {
  const made = Object.assign(document.createElement("button"), { type: "button", className: "button small", textContent: text });
  made.addEventListener("click", () => press(made));
  return made;
}

/** Puts the buttons above the words of a page, where it has some. */
export function addTools(): void {
  const tools = document.querySelector<HTMLElement>(".tools:empty");
  if (!tools) return;
  tools.setAttribute("role", "group");
  tools.setAttribute("aria-label", "怎样读");
  const step = (by: number) => () => {
    write(SIZE, Math.min(LARGEST, Math.max(0, size() + by)));
    applyLooks();
    fit();
  };
  const [smaller, larger] = [button("字小", step(-1)), button("字大", step(1))];
  const night = button("夜间", () => {
    write(NIGHT, read(NIGHT) !== true);
    applyLooks();
    fit();
  });
  const fit = () => {
    smaller.disabled = size() === 0;
    larger.disabled = size() === LARGEST;
    night.setAttribute("aria-pressed", `${read(NIGHT) === true}`);
  };
  fit();
  tools.append(smaller, larger, night);
  offerVoice(tools);
}

/** Reading aloud, as soon as the browser has a voice for it. */
function offerVoice(tools: HTMLElement): void {
  if (!("speechSynthesis" in globalThis) || !("SpeechSynthesisUtterance" in globalThis)) return;
  const offer = () => {
    if (!speechSynthesis.getVoices().some(({ lang }) => /^zh\b/i.test(lang))) return;
    speechSynthesis.removeEventListener("voiceschanged", offer);
    const aloud = button("朗读", () => void import("./aloud.js").then(({ toggle }) => toggle(aloud), () => undefined));
    tools.prepend(aloud);
  };
  speechSynthesis.addEventListener("voiceschanged", offer);
  offer();
}
