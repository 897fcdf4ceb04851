import { type Locator, type Page, expect } from "@playwright/test";
import { choose } from "./chooser.js";
import type { File } from "../support/photos.js";

/** /manager/photos: the library 素材. */
export class PhotosPage {
  get files(): Locator {
    return this.page.getByLabel("上传照片");
  }
  get button(): Locator {
    return this.page.getByRole("button", { name: "上传", exact: true });
  }
  get said(): Locator {
    return this.page.getByRole("main").getByRole("status");
  }
  get complaint(): Locator {
    return this.page.getByRole("alert");
  }
  get photos(): Locator {
    return this.page.getByRole("figure");
  }

  constructor(private readonly page: Page) {}

  async open(): Promise<void> {
    await this.page.goto("/manager/photos");
  }

  /** Uploads files and waits until each is taken or refused. */
  async upload(files: File[] | string[]): Promise<void> {
    if (!(await choose(this.page, this.files, files))) await this.button.click();
    await expect(this.page.getByRole("progressbar")).toHaveCount(0);
  }

  /** Begins to upload; only with JavaScript. */
  async begin(files: File[]): Promise<void> {
    await this.files.setInputFiles(files);
  }

  tick(name: string): Locator {
    return this.page.getByRole("checkbox", { name: `选中 ${name}` });
  }

  /** Deletes what is chosen. */
  async remove(): Promise<void> {
    await this.page.getByText("删除选中的照片").click();
    await this.page.getByRole("button", { name: "确认删除" }).click();
  }

  picture(name: string): Locator {
    return this.photos.filter({ hasText: name }).locator("img");
  }
}
