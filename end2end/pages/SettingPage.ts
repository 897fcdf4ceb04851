import type { Locator, Page } from "@playwright/test";

/** /manager/opus_setting/{id}: what is known of a work. */
export class SettingPage {
  get title(): Locator {
    return this.page.getByLabel("书名");
  }
  get author(): Locator {
    return this.page.getByLabel("作者");
  }
  get category(): Locator {
    return this.page.getByLabel("分类");
  }
  get description(): Locator {
    return this.page.getByLabel("简介");
  }
  get covers(): Locator {
    return this.page.getByRole("group", { name: "封面照片" }).getByRole("radio");
  }
  get save(): Locator {
    return this.page.getByRole("button", { name: "保存设置" });
  }
  get complaint(): Locator {
    return this.page.getByRole("alert");
  }

  constructor(private readonly page: Page) {}
}
