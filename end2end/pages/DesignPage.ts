import { type Locator, type Page, expect } from "@playwright/test";

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

  /** From a work's page to the form of one of its pages, also where the editor's screen has taken the place of its links. */
  async openFrom(number: number): Promise<void> {
    await this.page.getByRole("link", { name: `改第 ${number} 页`, exact: true }).click();
    await expect(this.heading).toContainText("编辑《");
    const address = new URL(this.page.url());
    expect(address.searchParams.get("page")).toBe(String(number));
    await this.page.goto(`/manager/opus/${address.searchParams.get("id")}/page/${number}`);
  }

  async choose(group: string, name: string): Promise<void> {
    await this.page.getByRole("group", { name: group, exact: true }).getByRole("radio", { name }).check();
  }
}
