import type { Locator, Page } from "@playwright/test";

/** /manager/shopping/cart: 购物车. */
export class CartPage {
  get checkOut(): Locator {
    return this.page.getByRole("button", { name: "结算" });
  }
  get lines(): Locator {
    return this.page.getByRole("main").getByRole("listitem");
  }
  get complaint(): Locator {
    return this.page.getByRole("alert");
  }
  get empty(): Locator {
    return this.page.getByRole("heading", { name: "购物车是空的" });
  }

  constructor(private readonly page: Page) {}

  async open(): Promise<void> {
    await this.page.goto("/manager/shopping/cart");
  }

  line(title: string): Locator {
    return this.lines.filter({ has: this.page.getByRole("heading", { name: title, exact: true }) });
  }

  quantity(title: string): Locator {
    return this.line(title).getByLabel("数量（本）");
  }

  chosen(title: string): Locator {
    return this.page.getByRole("checkbox", { name: `结算《${title}》` });
  }
}
