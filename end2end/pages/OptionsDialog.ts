import type { Locator, Page } from "@playwright/test";

/** 印刷选项 over the cart. */
export class OptionsDialog {
  readonly root: Locator;

  get close(): Locator {
    return this.root.getByRole("button", { name: "关闭", exact: true });
  }
  get quantity(): Locator {
    return this.root.getByLabel("数量（本）");
  }
  get remark(): Locator {
    return this.root.getByLabel("备注");
  }
  get next(): Locator {
    return this.root.getByRole("button", { name: "下一步" });
  }
  get complaint(): Locator {
    return this.root.getByRole("alert");
  }
  /** What the rules chose in the member's place. */
  get news(): Locator {
    return this.root.getByRole("status");
  }
  get total(): Locator {
    return this.root.getByText(/^总价/);
  }
  /** Only the plain form has this button: there the page has to be asked. */
  get priceAgain(): Locator {
    return this.root.getByRole("button", { name: "重新计价" });
  }
  /** While it saves, the same button says so. */
  get saving(): Locator {
    return this.root.getByRole("button", { name: "正在保存…" });
  }
  get explanation(): Locator {
    return this.root.getByRole("group").filter({ hasText: "价格怎么来的" });
  }

  constructor(private readonly page: Page) {
    this.root = page.getByRole("dialog", { name: "印刷选项" });
  }

  /** Opens the dialog of a line and waits until its script has taken over. */
  async open(title: string): Promise<void> {
    await this.link(title).click();
    await this.ready();
  }

  async ready(): Promise<void> {
    await this.root.waitFor();
    await this.priceAgain.waitFor({ state: "detached" });
  }

  link(title: string): Locator {
    const line = this.page.getByRole("listitem").filter({ has: this.page.getByRole("heading", { name: title, exact: true }) });
    return line.getByRole("link", { name: "改印刷选项" });
  }

  step(name: string): Locator {
    return this.root.getByRole("group", { name, exact: true });
  }

  item(step: string, name: string | RegExp): Locator {
    return this.step(step).getByRole("radio", { name, exact: true });
  }

  /** The total in 分. */
  async fen(): Promise<number> {
    return Math.round(Number((await this.total.innerText()).replace(/[^0-9.]/g, "")) * 100);
  }

  async choose(step: string, name: string): Promise<void> {
    await this.item(step, name).check();
  }
}
