import { type Locator, type Page, expect } from "@playwright/test";
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

  async upload(files: File[] | string[]): Promise<void> {
    await this.files.setInputFiles(files);
    await this.button.click();
    // with JavaScript the page stays while the bytes travel
    await expect(this.page.getByRole("progressbar")).toHaveCount(0);
  }

  picture(name: string): Locator {
    return this.photos.filter({ hasText: name }).locator("img");
  }
}
