import type { Page } from "@playwright/test";

/** The page of the provider of company accounts on which somebody signs in. */
export class CompanyPage {
  constructor(private readonly page: Page) {}

  /** By a password alone, or by a telephone besides. */
  async signIn(person: string, by: "password" | "more" = "password"): Promise<void> {
    await this.page.getByLabel("工号").fill(person);
    await this.page.getByRole("button", { name: by === "more" ? "用密码和手机登录" : "用密码登录" }).click();
  }

  async decline(): Promise<void> {
    await this.page.getByRole("button", { name: "拒绝" }).click();
  }
}
