import type { Page } from "@playwright/test";

/** /manager/opus/{id}: a work, spread by spread. */
export class WorkPage {
  readonly heading = this.page.getByRole("heading", { level: 1 });
  readonly cover = this.page.getByRole("img", { name: /封面$/ });
  readonly pages = this.page.getByRole("img", { name: /^第 \d+ 页$/ });
  readonly spreads = this.page.getByRole("figure");
  readonly title = this.page.getByLabel("书名");
  readonly captions = this.page.getByLabel(/的图说$/);
  readonly save = this.page.getByRole("button", { name: "保存文字" });
  readonly said = this.page.getByRole("main").getByRole("status");
  readonly complaint = this.page.getByRole("alert");
  readonly print = this.page.getByRole("link", { name: "选择印刷方式" });

  constructor(private readonly page: Page) {}
}
