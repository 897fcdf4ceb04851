import type { Page } from "@playwright/test";
import { run } from "../support/server.js";

/** A shared work as its readers see it, and the pages on which its maker decides about that. */
export class ReaderPage {
  readonly picture;
  readonly next;
  readonly areas;
  readonly said;

  constructor(private readonly page: Page) {
    this.picture = page.locator(".leaf .page:not(.beside) img").first();
    this.next = page.getByRole("navigation", { name: "翻页" }).getByRole("link", { name: "下一页" }).filter({ visible: true });
    this.areas = page.locator(".leaf .page:not(.beside) .hot a");
    this.said = page.getByRole("complementary").filter({ visible: true });
  }

  /** Of the work that was just made, from its own page. */
  async publish(): Promise<string> {
    await this.page.getByRole("link", { name: "分享", exact: true }).click();
    await this.page.getByRole("radio", { name: "公开" }).check();
    await this.page.getByRole("button", { name: "发布", exact: true }).click();
    return this.page.getByLabel("链接", { exact: true }).inputValue();
  }
}

/** Where a shared work of the demo member's is read, by its title. */
export async function shareTitled(title: string): Promise<string> {
  const shares = JSON.parse(await run(process.env.END2END_DATA ?? "", "share", "list", "--json")) as { title: string; path: string }[];
  return shares.find((share) => share.title === title)?.path ?? "";
}
