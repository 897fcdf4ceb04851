import type { Locator, Page } from "@playwright/test";

/** How one page of a work looks. */
export class DesignPage {
  readonly heading: Locator;
  readonly layouts: Locator;
  readonly save: Locator;
  readonly complaint: Locator;

  constructor(private readonly page: Page) {
    this.heading = page.getByRole("heading", { level: 1 });
    this.layouts = page.getByRole("group", { name: "版式", exact: true }).getByRole("radio");
    this.save = page.getByRole("button", { name: "保存版式" });
    this.complaint = page.getByRole("alert");
  }

  async choose(group: string, name: string): Promise<void> {
    await this.page.getByRole("group", { name: group, exact: true }).getByRole("radio", { name }).check();
  }
}
