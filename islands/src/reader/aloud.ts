// The words of a page read aloud by the browser's own voice, marked where it is.
import { sentences } from "./sentences.js";

const MARK = "spoken";
/** Which reading goes on; another number ends it. */
let going = 0;

/** Chinese, of this device before one that sends the words away. */
function voice(): SpeechSynthesisVoice | undefined {
  const known = speechSynthesis.getVoices().filter(({ lang }) => /^zh\b/i.test(lang));
  const rank = ({ lang, localService }: SpeechSynthesisVoice) => (localService ? 2 : 0) + (/^zh.CN/i.test(lang) ? 1 : 0);
  return known.sort((a, b) => rank(b) - rank(a))[0];
}

/** Begins where the words are in sight, or stops. */
export function toggle(button: HTMLButtonElement): void {
  if (button.getAttribute("aria-pressed") === "true") {
    stop(button);
    return;
  }
  button.setAttribute("aria-pressed", "true");
  button.textContent = "停止朗读";
  const end = () => stop(button);
  for (const event of ["turn", "pagehide"]) addEventListener(event, end, { once: true });
  const all = [...document.querySelectorAll<HTMLElement>("[data-aloud] :is(p:not(.jump), h2, h3, td)")];
  const begin = all.findIndex((part) => part.getBoundingClientRect().bottom > 0);
  void speak(all.slice(Math.max(0, begin))).then((isWhole) => { if (isWhole) stop(button); });
}

function stop(button: HTMLButtonElement): void {
  going += 1;
  speechSynthesis.cancel();
  mark(undefined);
  button.setAttribute("aria-pressed", "false");
  button.textContent = "朗读";
}

/** Speaks part after part; false where it was stopped. */
async function speak(parts: readonly HTMLElement[]): Promise<boolean> {
  going += 1;
  const mine = going;
  speechSynthesis.cancel();
  const speaker = voice();
  for (const part of parts) {
    const text = part.textContent;
    for (const { from, to } of sentences(text)) {
      if (going !== mine) return false;
      mark(part, from, to);
      part.scrollIntoView({ block: "nearest" });
      const said = new SpeechSynthesisUtterance(text.slice(from, to));
      if (speaker) said.voice = speaker;
      said.lang = speaker?.lang ?? "zh-CN";
      // a browser that knows says which word it has come to
      said.addEventListener("boundary", ({ charIndex, charLength }) => {
        if (going === mine && charLength > 0) mark(part, from + charIndex, from + charIndex + charLength);
      });
      const isSaid = await new Promise<boolean>((done) => {
        said.addEventListener("end", () => done(true));
        said.addEventListener("error", () => done(false));
        speechSynthesis.speak(said);
      });
      if (!isSaid && going === mine) return true;
    }
  }
  return going === mine;
}

/** Marks a piece of a part, or the whole part in a browser that marks no pieces; nothing any more where none is named. */
function mark(part: HTMLElement | undefined, from = 0, to = 0): void {
  document.querySelectorAll(`.${MARK}`).forEach((old) => old.classList.remove(MARK));
  if (!("highlights" in CSS)) {
    part?.classList.add(MARK);
    return;
  }
  const range = part && rangeOf(part, from, to);
  if (range) CSS.highlights.set(MARK, new Highlight(range));
  else CSS.highlights.delete(MARK);
}

/** Characters of a part as a range over its texts. */
function rangeOf(part: HTMLElement, from: number, to: number): Range | undefined {
  const range = document.createRange();
  const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  let [before, began] = [0, false];
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const length = node.nodeValue?.length ?? 0;
    if (!began && from < before + length) {
      range.setStart(node, from - before);
      began = true;
    }
    if (began && to <= before + length) {
      range.setEnd(node, to - before);
      return range;
    }
    before += length;
  }
  return undefined;
}
