import type { Locator, Page } from "@playwright/test";

/** /manager/order: 我的订单. */
export class OrdersPage {
  /** One row for each order, without the head. */
  get rows(): Locator {
    return this.page.getByRole("table").locator("tbody").getByRole("row");
  }

  constructor(private readonly page: Page) {}

  async open(): Promise<void> {
    await this.page.goto("/manager/order");
  }
}

/** /manager/order/{id}. */
export class OrderPage {
  get heading(): Locator {
    return this.page.getByRole("heading", { level: 1, name: /^订单/ });
  }
  get progress(): Locator {
    return this.page.getByRole("complementary", { name: "进度与金额" });
  }
  get pay(): Locator {
    return this.page.getByRole("link", { name: "去付款" });
  }
  get cancel(): Locator {
    return this.page.getByRole("button", { name: /^取消订单/ });
  }

  constructor(private readonly page: Page) {}
}
