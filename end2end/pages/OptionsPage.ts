import { type Locator, type Page, expect } from "@playwright/test";

/** /manager/shopping/cart/{line}/options: 印刷选项. */
export class OptionsPage {
  get heading(): Locator {
    return this.page.getByRole("heading", { level: 1, name: "印刷选项" });
  }
  get quantity(): Locator {
    return this.page.getByLabel("数量（本）");
  }
  get remark(): Locator {
    return this.page.getByLabel("备注");
  }
  get priceAgain(): Locator {
    return this.page.getByRole("button", { name: "重新计价" });
  }
  get next(): Locator {
    return this.page.getByRole("button", { name: "下一步" });
  }
  /** Past the cart to the order of this line alone. */
  get order(): Locator {
    return this.page.getByRole("button", { name: "直接结算" });
  }
  get complaint(): Locator {
    return this.page.getByRole("alert");
  }
  get total(): Locator {
    return this.page.getByText(/^总价/);
  }

  /** Waits for the price of what is chosen, which follows by itself. */
  async reprice(): Promise<void> {
    await expect(this.priceAgain).toHaveCount(0);
    await expect(this.total).toHaveAttribute("aria-busy", "false");
  }

  constructor(private readonly page: Page) {}

  step(name: string): Locator {
    return this.page.getByRole("group", { name, exact: true });
  }

  /** Choices that go well together, by name. */
  bundle(name: string): Locator {
    return this.page.getByRole("button", { name: new RegExp(`^${name}`) });
  }

  item(step: string, name: string | RegExp): Locator {
    return this.step(step).getByRole("radio", { name });
  }
}
