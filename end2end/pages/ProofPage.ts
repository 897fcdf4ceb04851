import type { Locator, Page } from "@playwright/test";

/** The proof of a cart line. */
export class ProofPage {
  readonly sheets: Locator;
  readonly confirm: Locator;

  constructor(readonly page: Page) {
    this.sheets = page.getByRole("main").getByRole("img");
    this.confirm = page.getByRole("button", { name: "确认，就这样印" });
  }

  point(words: string): Locator {
    return this.page.getByRole("checkbox", { name: words });
  }
}
