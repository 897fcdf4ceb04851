import type { Locator, Page } from "@playwright/test";

/** /manager/shopping/cart/{line}/options: 印刷选项. */
export class OptionsPage {
  readonly heading = this.page.getByRole("heading", { level: 1, name: "印刷选项" });
  readonly quantity = this.page.getByLabel("数量（本）");
  readonly remark = this.page.getByLabel("备注");
  readonly priceAgain = this.page.getByRole("button", { name: "重新计价" });
  readonly next = this.page.getByRole("button", { name: "下一步" });
  readonly complaint = this.page.getByRole("alert");
  readonly total = this.page.getByText(/^总价/);

  constructor(private readonly page: Page) {}

  step(name: string): Locator {
    return this.page.getByRole("group", { name, exact: true });
  }

  item(step: string, name: string | RegExp): Locator {
    return this.step(step).getByRole("radio", { name });
  }
}
