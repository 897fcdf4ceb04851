import type { Locator, Page } from "@playwright/test";

/** /manager/book-study 书房. */
export class StudyPage {
  readonly code: Locator;
  readonly redeem: Locator;
  readonly said: Locator;
  readonly wrong: Locator;

  constructor(private readonly page: Page) {
    const main = page.getByRole("main");
    this.code = main.getByLabel("兑换码", { exact: true });
    this.redeem = main.getByRole("button", { name: "兑换" });
    this.said = main.getByRole("status");
    this.wrong = main.getByRole("alert");
  }

  async open(): Promise<void> {
    await this.page.goto("/manager/book-study");
  }

  /** Types a code and sends it. */
  async enter(code: string): Promise<void> {
    await this.code.fill(code);
    await this.redeem.click();
  }

  /** What a reader has under a name. */
  shelf(title: string): Locator {
    return this.page.getByRole("main").locator("section").filter({ has: this.page.getByRole("heading", { name: title }) });
  }
}
