// <react-island data-name data-when data-props>: working HTML that an island takes the place of when it is needed.
import { isFrugal } from "./frugal.js";
import { whenIdle } from "./idle.js";
import { type Name, load } from "./registry.js";
// what comes of an island stands on it: as one file with this, it costs no way there and back of its own
import "./storage.js";

/** After a failure, the next touch tries again, but not each one of a moving pointer. */
const PAUSE = 3000;

class ReactIsland extends HTMLElement {
  /** From entering a document to leaving it. */
  #life: AbortController | undefined;
  /** An input method is in the middle of a word; taking its field away would lose it. */
  #composed: Promise<void> | undefined;

  constructor() {
    super();
    this.addEventListener("compositionstart", () => {
      this.#composed = new Promise((done) => this.addEventListener("compositionend", () => done(), { once: true }));
    });
  }

  connectedCallback(): void {
    if (this.#life) return;
    this.#life = new AbortController();
    this.#wait(this.dataset.when, this.#life.signal);
  }

  disconnectedCallback(): void {
    // an element that is only moved is back at once
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#life?.abort();
      this.#life = undefined;
    });
  }

  #wait(when: string | undefined, life: AbortSignal): void {
    if (life.aborted) return;
    const start = () => void this.#start(life);
    if (when === "idle" && !isFrugal()) whenIdle(start);
    else if (when === "visible") whenVisible(this, life, () => whenIdle(start));
    else if (when === "intent" || when === "idle") onIntent(this, life, start);
    else if (when === "change") onChange(this, life, start);
    else start();
  }

  async #start(life: AbortSignal): Promise<void> {
    let mounted = false;
    try {
      mounted = await this.#mount(life);
    } finally {
      if (!mounted) {
        // what its styles spare those for whom it comes
        this.dataset.left = "";
        setTimeout(() => this.#wait("intent", life), PAUSE);
      }
    }
  }

  async #mount(life: AbortSignal): Promise<boolean> {
    const { name, props = "{}" } = this.dataset;
    const island = await load(name as Name);
    // reading a script and drawing with it are two tasks, so that what is pressed meanwhile is answered in between
    await pause();
    const element = await island?.draw(JSON.parse(props) as never, this);
    await this.#composed;
    // nor may a press lose its button: its click comes in the task that ends it
    while (this.matches(":active")) await pause();
    if (!island || !element || life.aborted) return false;
    const unmount = island.mount(this, element);
    life.addEventListener("abort", unmount);
    return true;
  }
}

/** Ends the task. */
function pause(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}

function whenVisible(element: Element, life: AbortSignal, run: () => void): void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    run();
  });
  observer.observe(element);
  life.addEventListener("abort", () => observer.disconnect());
}

/** The first sign that somebody is about to use the element. */
function onIntent(element: Element, life: AbortSignal, run: () => void): void {
  const once = new AbortController();
  const start = () => {
    once.abort();
    run();
  };
  life.addEventListener("abort", () => once.abort());
  for (const type of ["pointerover", "focusin", "touchstart", "change"]) {
    element.addEventListener(type, start, { signal: once.signal, passive: true });
  }
}

/** Something was chosen, perhaps before this script came. */
function onChange(element: Element, life: AbortSignal, run: () => void): void {
  const fields = [...element.querySelectorAll<HTMLInputElement>("input[type=file]")];
  if (fields.some(({ files }) => files?.length)) run();
  else element.addEventListener("change", run, { once: true, signal: life });
}

customElements.define("react-island", ReactIsland);
