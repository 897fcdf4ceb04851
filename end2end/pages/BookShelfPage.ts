import type { Locator, Page } from "@playwright/test";

/** /manager/book-shelf 书架, and a shelf as it is arranged there. */
export class BookShelfPage {
  readonly title: Locator;
  readonly name: Locator;
  readonly save: Locator;
  readonly said: Locator;
  readonly wrong: Locator;
  /** What stands on the shelf, in its order. */
  readonly items: Locator;

  constructor(private readonly page: Page) {
    const main = page.getByRole("main");
    this.title = main.getByLabel("书架名称");
    this.name = main.getByLabel("地址", { exact: true });
    this.save = main.getByRole("button", { name: /^(做好书架|保存设置)$/ });
    this.said = main.getByRole("status").first();
    this.wrong = main.getByRole("alert");
    this.items = main.getByRole("list", { name: "架上的作品，按顺序" }).getByRole("listitem");
  }

  async begin(): Promise<void> {
    await this.page.goto("/manager/book-shelf/new");
  }

  /** Puts works on the shelf by their titles. */
  async add(...titles: string[]): Promise<void> {
    const main = this.page.getByRole("main");
    for (const title of titles) await main.getByRole("checkbox", { name: title }).check();
    await main.getByRole("button", { name: "放上去" }).click();
  }

  /** A button of one of the things on the shelf. */
  button(act: string, title: string): Locator {
    return this.page.getByRole("main").getByRole("button", { name: new RegExp(`^${act}\\s*：${title}$`) });
  }
}
