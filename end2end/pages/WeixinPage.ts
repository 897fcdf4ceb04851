import type { Page } from "@playwright/test";

/** The page at weixin on which somebody agrees. */
export class WeixinPage {
  constructor(private readonly page: Page) {}

  async agree(nickname: string): Promise<void> {
    await this.page.getByLabel("昵称").fill(nickname);
    await this.page.getByRole("button", { name: "同意" }).click();
  }

  async decline(): Promise<void> {
    await this.page.getByRole("button", { name: "拒绝" }).click();
  }
}
