import type { Locator, Page } from "@playwright/test";
import type { File } from "../support/photos.js";
import { choose } from "./chooser.js";

/** /manager/make_ebook: the making desk 做书. */
export class MakePage {
  get title(): Locator {
    return this.page.getByLabel("书名");
  }
  get author(): Locator {
    return this.page.getByLabel("作者");
  }
  get files(): Locator {
    return this.page.getByLabel("上传新照片");
  }
  get button(): Locator {
    return this.page.getByRole("button", { name: "生成画册" });
  }
  get blank(): Locator {
    return this.page.getByRole("button", { name: "做一本空白的" });
  }
  get complaint(): Locator {
    return this.page.getByRole("alert");
  }

  constructor(private readonly page: Page) {}

  async open(): Promise<void> {
    await this.page.goto("/manager/make_ebook");
  }

  async choose(format: string, theme?: string): Promise<void> {
    await this.page.getByRole("group", { name: "开本" }).getByRole("radio", { name: format }).check();
    if (theme) await this.page.getByRole("group", { name: "风格" }).getByRole("radio", { name: theme }).check();
  }

  /** A photo of the library, to choose. */
  fromLibrary(name: string): Locator {
    return this.page.getByRole("checkbox", { name });
  }

  async add(files: File[]): Promise<void> {
    await choose(this.page, this.files, files);
  }

  /** Uploads photos and makes a square album of them; ends on the work's page. */
  async make(title: string, files: File[]): Promise<void> {
    await this.open();
    await this.choose("方形画册");
    await this.title.fill(title);
    await this.add(files);
    await this.send();
  }

  /** Makes the book, also where the desk first asks about empty pages or photos that look alike. */
  async send(): Promise<void> {
    const answer = this.answer();
    await this.button.click();
    await this.finish(answer);
  }

  /** The status that answers the form. */
  async answer(): Promise<number> {
    const answer = await this.page.waitForResponse((answer) => answer.request().method() === "POST" && answer.url().endsWith("/manager/make_ebook"));
    return answer.status();
  }

  /** Waits for the work's page; what the desk asks is answered by asking again. */
  async finish(answer: Promise<number>): Promise<void> {
    if ((await answer) !== 303) await this.button.click();
    await this.page.waitForURL(/\/manager\/opus\/[^/]+$/);
  }
}
