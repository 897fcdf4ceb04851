import type { Locator, Page } from "@playwright/test";

/** /manager/shopping/cart: 购物车. */
export class CartPage {
  readonly checkOut = this.page.getByRole("button", { name: "结算" });
  readonly lines = this.page.getByRole("main").getByRole("listitem");
  readonly complaint = this.page.getByRole("alert");
  readonly empty = this.page.getByRole("heading", { name: "购物车是空的" });

  constructor(private readonly page: Page) {}

  async open(): Promise<void> {
    await this.page.goto("/manager/shopping/cart");
  }

  line(title: string): Locator {
    return this.lines.filter({ has: this.page.getByRole("heading", { name: title, exact: true }) });
  }

  chosen(title: string): Locator {
    return this.page.getByRole("checkbox", { name: `结算《${title}》` });
  }
}
