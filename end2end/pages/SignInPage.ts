import type { Locator, Page } from "@playwright/test";

/** /manager/login, and wherever else the door stands. */
export class SignInPage {
  get account(): Locator {
    return this.page.getByLabel("账号");
  }
  get password(): Locator {
    return this.page.getByLabel("密码");
  }
  get button(): Locator {
    return this.page.getByRole("button", { name: "登录", exact: true });
  }
  get complaint(): Locator {
    return this.page.getByRole("alert");
  }

  constructor(private readonly page: Page) {}

  async open(): Promise<void> {
    await this.page.goto("/manager/login");
  }

  async signIn(account: string, password: string): Promise<void> {
    await this.account.fill(account);
    await this.password.fill(password);
    await this.button.click();
  }
}
