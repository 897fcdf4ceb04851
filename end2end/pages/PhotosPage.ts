import type { Page } from "@playwright/test";
import type { File } from "../support/photos.js";

/** /manager/photos: the library 素材. */
export class PhotosPage {
  readonly files = this.page.getByLabel("上传照片");
  readonly button = this.page.getByRole("button", { name: "上传", exact: true });
  readonly said = this.page.getByRole("main").getByRole("status");
  readonly complaint = this.page.getByRole("alert");
  readonly photos = this.page.getByRole("figure");

  constructor(private readonly page: Page) {}

  async open(): Promise<void> {
    await this.page.goto("/manager/photos");
  }

  async upload(files: File[] | string[]): Promise<void> {
    await this.files.setInputFiles(files);
    await this.button.click();
  }

  picture(name: string) {
    return this.page.getByRole("img", { name, exact: true });
  }
}
