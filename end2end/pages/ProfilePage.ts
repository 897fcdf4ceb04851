import type { Locator, Page } from "@playwright/test";

/** /manager/userInfo: 资料. */
export class ProfilePage {
  get name(): Locator {
    return this.page.getByLabel("名字");
  }
  get saveName(): Locator {
    return this.page.getByRole("button", { name: "保存名字" });
  }
  get picture(): Locator {
    return this.page.getByLabel("头像");
  }
  get upload(): Locator {
    return this.page.getByRole("button", { name: "上传头像" });
  }
  get said(): Locator {
    return this.page.getByRole("status");
  }
  get complaint(): Locator {
    return this.page.getByRole("alert");
  }
  get devices(): Locator {
    return this.page.locator("#logins").getByRole("listitem");
  }
  /** The picture in the top bar. */
  get face(): Locator {
    return this.page.getByRole("banner").locator("img.avatar");
  }

  constructor(private readonly page: Page) {}

  async open(): Promise<void> {
    await this.page.goto("/manager/userInfo");
  }

  async rename(name: string): Promise<void> {
    await this.name.fill(name);
    await this.saveName.click();
  }
}
