import type { Locator, Page } from "@playwright/test";

/** /manager/shopping/pay and …/success. */
export class PayPage {
  get heading(): Locator {
    return this.page.getByRole("heading", { level: 1, name: "付款", exact: true });
  }
  get pay(): Locator {
    return this.page.getByRole("button", { name: "用余额支付" });
  }
  /** Another way than the balance, by its name. */
  way(name: string): Locator {
    return this.page.getByRole("button", { name });
  }
  get said(): Locator {
    return this.page.getByRole("main").getByRole("status");
  }
  get done(): Locator {
    return this.page.getByRole("heading", { level: 1, name: "付款成功" });
  }
  get order(): Locator {
    return this.page.getByRole("link", { name: "查看订单" });
  }

  constructor(private readonly page: Page) {}
}
