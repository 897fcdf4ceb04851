import { type Locator, type Page, expect } from "@playwright/test";
import { middle } from "../support/still.js";

interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Element {
  id: string;
  kind: string;
  frame: Frame;
  rotation?: number;
  text?: string;
  font?: string;
  photo?: string;
  /** The part of a photo that is shown, in fractions of it. */
  crop?: Frame;
  /** The outline that a photo is cut to. */
  mask?: string;
  /** What a shape is. */
  shape?: string;
  /** Of a month. */
  part?: string;
  /** What a code opens. */
  address?: string;
}

interface Document {
  theme: string;
  cover: { elements: Element[] };
  pages: { id: string; elements: Element[] }[];
}

/** The editor of a work, at any of its three addresses. */
export class EditorPage {
  get stage(): Locator {
    return this.page.getByRole("group", { name: "版面" });
  }
  get saved(): Locator {
    return this.page.getByText("已存服务器", { exact: true });
  }
  get kept(): Locator {
    return this.page.getByText("已存本机", { exact: true });
  }
  get undo(): Locator {
    return this.page.getByRole("button", { name: "撤销", exact: true });
  }
  get redo(): Locator {
    return this.page.getByRole("button", { name: "重做", exact: true });
  }
  get photos(): Locator {
    return this.stage.getByRole("button", { name: /^照片，/ });
  }
  get texts(): Locator {
    return this.stage.getByRole("button", { name: /^(文字，|空文字)/ });
  }
  get field(): Locator {
    return this.page.getByRole("textbox", { name: "文字", exact: true });
  }

  /** What stands in the field. */
  async written(): Promise<string> {
    return this.field.evaluate((field) => (field instanceof HTMLTextAreaElement ? field.value : (field.textContent ?? "").replace(/\n$/, "")));
  }

  constructor(
    readonly page: Page,
    readonly work: string,
    private readonly address = "/manager/opus_list_edit",
  ) {}

  /** Opens it at a page, `cover` or a number, and waits for the island. */
  async open(number: string | number = "cover"): Promise<void> {
    await this.page.goto(`${this.address}?id=${this.work}&page=${number}`);
    await expect(this.stage).toBeVisible();
  }

  /** An open page, 0 being the cover. */
  paper(number: number): Locator {
    return this.page.getByRole("region", { name: number === 0 ? "封面" : `第 ${number} 页`, exact: true });
  }

  shape(name: "矩形" | "椭圆" | "线条"): Locator {
    return this.stage.getByRole("button", { name: new RegExp(`^图形，${name}`) });
  }

  number(label: string): Locator {
    return this.page.getByRole("textbox", { name: new RegExp(`^${label}（`) });
  }

  panel(name: "属性" | "照片" | "检查"): Locator {
    return this.page.getByRole("group", { name: "选择面板" }).getByRole("button", { name });
  }

  /** The document as the server has it. */
  async document(): Promise<Document> {
    const answer = await this.page.request.get(`/works/document?workID=${this.work}`);
    return ((await answer.json()) as { data: { document: Document } }).data.document;
  }

  /** The elements of a page, 0 being the cover. */
  async elements(number: number): Promise<Element[]> {
    const { cover, pages } = await this.document();
    return number === 0 ? cover.elements : (pages[number - 1]?.elements ?? []);
  }

  /** Draws something from its middle by pixels. */
  async drag(what: Locator, dx: number, dy: number, keys: string[] = []): Promise<void> {
    const { x, y } = await middle(what);
    await this.page.mouse.move(x, y);
    await this.page.mouse.down();
    for (const key of keys) await this.page.keyboard.down(key);
    await this.page.mouse.move(x + dx, y + dy, { steps: 6 });
    await this.page.mouse.up();
    for (const key of keys) await this.page.keyboard.up(key);
  }
}
