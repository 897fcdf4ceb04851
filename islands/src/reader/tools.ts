// Buttons above the words of a page: their size and the light, and reading aloud where the browser has a voice. They are here
// because only a script can do what they say.
import type { Looks } from "./looks.js";

function button(text: string, press: (made: HTMLButtonElement) => void): HTMLButtonElement {
  const made = Object.assign(document.createElement("button"), { type: "button", className: "button small", textContent: text });
  made.addEventListener("click", () => press(made));
  return made;
}

/** Fills the bar above the words of a page. */
export function fill(tools: HTMLElement, looks: Looks): void {
  if (tools.hasChildNodes()) return;
  tools.setAttribute("role", "group");
  tools.setAttribute("aria-label", "怎样读");
  const step = (by: number) => () => {
    looks.choose(Math.min(looks.largest, Math.max(0, looks.size() + by)), looks.isNight());
    fit();
  };
  const [smaller, larger] = [button("字小", step(-1)), button("字大", step(1))];
  const night = button("夜间", () => {
    looks.choose(looks.size(), !looks.isNight());
    fit();
  });
  const fit = () => {
    smaller.disabled = looks.size() === 0;
    larger.disabled = looks.size() === looks.largest;
    night.setAttribute("aria-pressed", `${looks.isNight()}`);
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
