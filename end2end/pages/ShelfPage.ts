import type { Locator, Page } from "@playwright/test";

/** /manager/opus_list/{type}: works as covers. */
export class ShelfPage {
  /** Every work on the page, its link first. */
  get works(): Locator {
    return this.page.getByRole("main").locator(".shelf > li");
  }
  get search(): Locator {
    return this.page.getByRole("searchbox", { name: "书名" });
  }
  get said(): Locator {
    return this.page.getByRole("main").getByRole("status");
  }
  get undo(): Locator {
    return this.page.getByRole("button", { name: /^撤销/ });
  }

  constructor(private readonly page: Page) {}

  async open(kind = "all"): Promise<void> {
    await this.page.goto(`/manager/opus_list/${kind}`);
  }

  async find(text: string): Promise<void> {
    await this.search.fill(text);
    await this.page.getByRole("button", { name: "搜索" }).click();
  }

  work(title: string): Locator {
    return this.works.filter({ hasText: title });
  }

  /** Opens what can be done with a work and does it. */
  async act(title: string, name: string): Promise<void> {
    const work = this.work(title);
    await work.getByText("更多").click();
    await work.getByRole("button", { name }).or(work.getByRole("link", { name })).click();
  }
}
