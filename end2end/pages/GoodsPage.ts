import type { Locator, Page } from "@playwright/test";

/** /manager/add_shopping/{id}: the goods that a work can be printed as. */
export class GoodsPage {
  get heading(): Locator {
    return this.page.getByRole("heading", { level: 1, name: "选择印刷方式" });
  }
  get goods(): Locator {
    return this.page.getByRole("main").getByRole("listitem");
  }

  constructor(private readonly page: Page) {}

  button(name: string): Locator {
    return this.goods.filter({ hasText: name }).getByRole("button", { name: "选这种，定材料" });
  }

  async choose(name: string): Promise<void> {
    await this.button(name).click();
    await this.page.waitForURL(/\/manager\/shopping\/cart\/[^/]+\/options$/);
  }
}
