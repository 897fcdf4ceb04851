import type { Locator, Page } from "@playwright/test";

/** The frame around a member's pages. */
export class Shell {
  get balance(): Locator {
    return this.page.getByRole("banner").getByText("余额").first();
  }
  get cart(): Locator {
    return this.page.getByRole("banner").getByRole("link", { name: "购物车" });
  }
  get heading(): Locator {
    return this.page.getByRole("heading", { level: 1 });
  }

  constructor(private readonly page: Page) {}

  /** The balance as the top bar shows it, such as `¥1,234.50`. */
  async balanceText(): Promise<string> {
    return (await this.balance.locator("..").innerText()).replace("余额", "").trim();
  }

  async signOut(): Promise<void> {
    await this.page.getByRole("banner").locator("summary", { hasText: "member-" }).click();
    await this.page.getByRole("button", { name: "退出登录" }).click();
  }
}
