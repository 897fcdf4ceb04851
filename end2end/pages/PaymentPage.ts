import type { Locator, Page } from "@playwright/test";

/** /manager/recharge, and /manager/payment/… where a payment waits. */
export class PaymentPage {
  get begin(): Locator {
    return this.page.getByRole("button", { name: "去付款" });
  }
  get amount(): Locator {
    return this.page.getByLabel("其他金额");
  }
  get code(): Locator {
    return this.page.getByRole("img", { name: "微信支付二维码" });
  }
  get ask(): Locator {
    return this.page.getByRole("button", { name: "我已付款，查询结果" });
  }
  /** Pays with no money, in a demo. */
  get pretend(): Locator {
    return this.page.getByRole("button", { name: "完成付款" });
  }
  get arrived(): Locator {
    return this.page.getByRole("heading", { level: 1, name: "已收到付款" });
  }
  get over(): Locator {
    return this.page.getByRole("heading", { level: 1, name: "付款已过期" });
  }
  get reference(): Locator {
    return this.page.getByRole("main").locator("dt:has-text('转账附言') + dd");
  }
  get said(): Locator {
    return this.page.getByRole("main").getByRole("status");
  }
  get complaint(): Locator {
    return this.page.getByRole("alert");
  }
  get history(): Locator {
    return this.rowsBelow("付款记录");
  }
  /** What came onto the balance, and went from it. */
  get balance(): Locator {
    return this.rowsBelow("余额明细");
  }
  private rowsBelow(heading: string): Locator {
    return this.page.locator("section", { has: this.page.getByRole("heading", { name: heading, exact: true }) }).getByRole("row");
  }
  /** The number of the payment that is shown. */
  get number(): string {
    return new URL(this.page.url()).pathname.split("/").at(-1) ?? "";
  }

  constructor(private readonly page: Page) {}

  async open(): Promise<void> {
    await this.page.goto("/manager/recharge");
  }

  /** Begins a recharge of an amount. */
  async recharge(way: string, amount: string): Promise<void> {
    await this.open();
    await this.amount.fill(amount);
    await this.page.getByRole("radio", { name: way }).check({ force: true });
    await this.begin.click();
    await this.page.waitForURL("**/manager/payment/*");
  }
}
