import type { Locator, Page } from "@playwright/test";
import type { File } from "../support/photos.js";
import { choose } from "./chooser.js";

/** /manager/opus-doc-calendar: the making desk of calendars 做台历. */
export class CalendarDeskPage {
  get title(): Locator {
    return this.page.getByLabel("标题");
  }
  get start(): Locator {
    return this.page.getByLabel("从哪个月开始");
  }
  get anniversaries(): Locator {
    return this.page.getByLabel("纪念日");
  }
  get files(): Locator {
    return this.page.getByLabel("上传新照片");
  }
  get button(): Locator {
    return this.page.getByRole("button", { name: "生成台历" });
  }
  get complaint(): Locator {
    return this.page.getByRole("alert");
  }

  constructor(private readonly page: Page) {}

  async open(): Promise<void> {
    await this.page.goto("/manager/opus-doc-calendar");
  }

  option(group: string, name: string): Locator {
    return this.page.getByRole("group", { name: group }).getByRole("radio", { name });
  }

  async add(files: File[]): Promise<void> {
    await choose(this.page, this.files, files);
  }
}
