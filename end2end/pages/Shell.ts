import type { Locator, Page } from "@playwright/test";

/** The frame around a member's pages. */
export class Shell {
  /** The balance as the top bar shows it, such as `¥1,234.50`. */
  get money(): Locator {
    return this.page.getByRole("banner").getByText("余额").first().locator("..").locator(".money");
  }
  get cart(): Locator {
    return this.page.getByRole("banner").getByRole("link", { name: "购物车" });
  }
  get heading(): Locator {
    return this.page.getByRole("heading", { level: 1 });
  }

  constructor(private readonly page: Page) {}

  async signOut(): Promise<void> {
    await this.page.getByRole("banner").locator("summary", { hasText: "member-" }).click();
    await this.page.getByRole("button", { name: "退出登录" }).click();
  }
}
