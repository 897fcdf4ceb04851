import type { Page } from "@playwright/test";

/** /manager/shopping/pay and …/success. */
export class PayPage {
  readonly heading = this.page.getByRole("heading", { level: 1, name: "付款", exact: true });
  readonly pay = this.page.getByRole("button", { name: "用余额支付" });
  readonly said = this.page.getByRole("main").getByRole("status");
  readonly done = this.page.getByRole("heading", { level: 1, name: "付款成功" });
  readonly order = this.page.getByRole("link", { name: "查看订单" });

  constructor(private readonly page: Page) {}
}
