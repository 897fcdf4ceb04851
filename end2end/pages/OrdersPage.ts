import type { Locator, Page } from "@playwright/test";

/** /manager/order: 我的订单. */
export class OrdersPage {
  /** One row for each order, without the head. */
  get rows(): Locator {
    return this.page.getByRole("table").locator("tbody").getByRole("row");
  }

  get search(): Locator {
    return this.page.getByRole("searchbox", { name: "订单号或书名" });
  }

  constructor(private readonly page: Page) {}

  /** Looks for a number or a title. */
  async find(text: string): Promise<void> {
    await this.search.fill(text);
    await this.page.getByRole("button", { name: "搜索" }).click();
  }

  /** Shows the orders of one view, such as 待付款. */
  async view(name: string): Promise<void> {
    await this.page.getByRole("navigation", { name: "订单状态" }).getByRole("link", { name }).click();
  }

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
  get receive(): Locator {
    return this.page.getByRole("button", { name: "确认收货" });
  }
  get again(): Locator {
    return this.page.getByRole("link", { name: "照这份再订一次" });
  }
  get said(): Locator {
    return this.page.getByRole("complementary", { name: "进度与金额" }).getByRole("status");
  }
  get number(): Promise<string> {
    return this.heading.locator(".num").innerText();
  }
  get cancel(): Locator {
    return this.page.getByRole("button", { name: /^取消订单/ });
  }

  constructor(private readonly page: Page) {}

  /** Asks the operator to cancel. */
  async askToCancel(reason: string): Promise<void> {
    await this.page.getByText("申请取消", { exact: true }).click();
    await this.page.getByRole("textbox", { name: "取消的原因" }).fill(reason);
    await this.page.getByRole("button", { name: "提交申请" }).click();
  }
}
