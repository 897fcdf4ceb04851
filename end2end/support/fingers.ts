// Fingers on the glass and an input method, as Chromium's own protocol gives them to a page.
import type { CDPSession, Page } from "@playwright/test";

interface Point {
  x: number;
  y: number;
}

/** Up to several fingers. Where they are is in pixels of the viewport. */
export class Fingers {
  #down: Point[] = [];

  private constructor(private readonly session: CDPSession) {}

  static async on(page: Page): Promise<Fingers> {
    return new Fingers(await page.context().newCDPSession(page));
  }

  /** These fingers touch, one after the other. */
  async down(...points: Point[]): Promise<void> {
    for (const point of points) await this.#send("touchStart", [...this.#down, point]);
  }

  /** All of them go on to these places, over some on the way. */
  async move(points: Point[], steps = 4): Promise<void> {
    const from = this.#down;
    for (let step = 1; step <= steps; step += 1) {
      const part = (one: number, other: number) => one + ((other - one) * step) / steps;
      await this.#send("touchMove", points.map(({ x, y }, which) => ({ x: part(from[which]?.x ?? x, x), y: part(from[which]?.y ?? y, y) })));
    }
  }

  async up(): Promise<void> {
    await this.#send("touchEnd", []);
  }

  async tap(point: Point): Promise<void> {
    await this.down(point);
    await this.up();
  }

  async drag(from: Point, to: Point): Promise<void> {
    await this.down(from);
    await this.move([to]);
    await this.up();
  }

  async #send(type: "touchStart" | "touchMove" | "touchEnd", points: Point[]): Promise<void> {
    this.#down = points;
    await this.session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(({ x, y }, id) => ({ x, y, id })) });
  }
}

/** A pinyin input method: what is composed is underlined until a word is chosen. */
export class InputMethod {
  private constructor(private readonly session: CDPSession) {}

  static async on(page: Page): Promise<InputMethod> {
    return new InputMethod(await page.context().newCDPSession(page));
  }

  /** Letters, one after the other, as they stand in the field while nothing is chosen. */
  async compose(letters: string): Promise<void> {
    for (let length = 1; length <= letters.length; length += 1) {
      await this.key("Process");
      const text = letters.slice(0, length);
      await this.session.send("Input.imeSetComposition", { text, selectionStart: length, selectionEnd: length });
    }
  }

  /** A key that is the input method's: the page hears of it with the code 229. */
  async key(key: string): Promise<void> {
    for (const type of ["rawKeyDown", "keyUp"] as const) await this.session.send("Input.dispatchKeyEvent", { type, key, windowsVirtualKeyCode: 229 });
  }

  /** A word is chosen in place of the letters. */
  async choose(word: string): Promise<void> {
    await this.session.send("Input.insertText", { text: word });
  }
}
