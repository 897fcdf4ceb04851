import type { Locator, Page } from "@playwright/test";

/** The tiers side by side, the price of one explained, and its receipt. */
export class UpgradePage {
  get standing(): Locator {
    return this.page.getByText("您现在是").first();
  }
  get due(): Locator {
    return this.page.getByText("应付").locator("..");
  }
  get receipt(): Locator {
    return this.page.getByRole("status");
  }

  constructor(private readonly page: Page) {}

  async open(): Promise<void> {
    await this.page.goto("/manager/upgrade");
  }

  /** One tier's card. */
  tier(name: string): Locator {
    return this.page.getByRole("listitem").filter({ has: this.page.getByRole("heading", { name, level: 2 }) });
  }

  /** Chooses a tier for so many months, and comes to the page that explains its price. */
  async choose(name: string, months: number): Promise<void> {
    const card = this.tier(name);
    await card.getByRole("radio", { name: new RegExp(`^${months} 个月`) }).check();
    await card.getByRole("button", { name }).click();
  }

  /** Confirms the price, and pays from the balance; with a double click, as people do. */
  async pay(): Promise<void> {
    await this.page.getByRole("button", { name: "确认，去付款" }).click();
    await this.page.getByRole("button", { name: "用余额支付" }).dblclick();
  }
}
