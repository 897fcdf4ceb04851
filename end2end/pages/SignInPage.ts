import type { Page } from "@playwright/test";

/** /manager/login, and wherever else the door stands. */
export class SignInPage {
  readonly account = this.page.getByLabel("账号");
  readonly password = this.page.getByLabel("密码");
  readonly button = this.page.getByRole("button", { name: "登录" });
  readonly complaint = this.page.getByRole("alert");

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
