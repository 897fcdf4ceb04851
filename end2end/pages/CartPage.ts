import type { Locator, Page } from "@playwright/test";

/** /manager/shopping/cart: 购物车. */
export class CartPage {
  get checkOut(): Locator {
    return this.page.getByRole("button", { name: "结算" });
  }
  get lines(): Locator {
    return this.page.getByRole("main").locator("form.cart").getByRole("listitem");
  }
  get sum(): Locator {
    return this.page.getByText(/^已选/);
  }
  get undo(): Locator {
    return this.page.getByRole("button", { name: /撤销/ });
  }
  get gone(): Locator {
    return this.page.getByText("这一件已不在购物车里");
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

  /** The sum of the chosen lines in 分. */
  async fen(): Promise<number> {
    const text = (await this.sum.innerText()).split("合计")[1] ?? "";
    return Math.round(Number(text.replace(/[^0-9.]/g, "")) * 100);
  }

  line(title: string): Locator {
    return this.lines.filter({ has: this.page.getByRole("heading", { name: title, exact: true }) });
  }

  quantity(title: string): Locator {
    return this.line(title).getByLabel("数量（本）");
  }

  keepQuantity(title: string): Locator {
    return this.line(title).getByRole("button", { name: "更新数量" });
  }

  chosen(title: string): Locator {
    return this.page.getByRole("checkbox", { name: `结算《${title}》` });
  }
}
