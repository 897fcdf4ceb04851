import type { Locator, Page } from "@playwright/test";

/** /manager/opus/{id}: a work, spread by spread. */
export class WorkPage {
  get heading(): Locator {
    return this.page.getByRole("heading", { level: 1 });
  }
  get cover(): Locator {
    return this.page.getByRole("img", { name: /封面$/ });
  }
  get pages(): Locator {
    return this.page.getByRole("img", { name: /^第 \d+ 页$/ });
  }
  get spreads(): Locator {
    return this.page.getByRole("figure");
  }
  get title(): Locator {
    return this.page.getByLabel("书名");
  }
  get captions(): Locator {
    return this.page.getByLabel(/的图说$/);
  }
  get save(): Locator {
    return this.page.getByRole("button", { name: "保存文字" });
  }
  get said(): Locator {
    return this.page.getByRole("main").getByRole("status");
  }
  get complaint(): Locator {
    return this.page.getByRole("alert");
  }
  get print(): Locator {
    return this.page.getByRole("main").getByText("选择印刷方式", { exact: true });
  }

  constructor(private readonly page: Page) {}

  /** Opens what else can be done with the work. */
  async more(): Promise<void> {
    await this.page.getByRole("main").getByText("更多", { exact: true }).click();
  }
}
