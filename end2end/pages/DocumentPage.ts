import type { Locator, Page } from "@playwright/test";

/** /manager/opus-document: the making desk for documents. */
export class DocumentPage {
  get title(): Locator {
    return this.page.getByLabel(/^书名/);
  }
  get file(): Locator {
    return this.page.getByLabel("PDF、Markdown 或文字文件");
  }
  get text(): Locator {
    return this.page.getByLabel("文字", { exact: true });
  }
  get paste(): Locator {
    return this.page.getByText("或者粘贴文字");
  }
  get button(): Locator {
    return this.page.getByRole("button", { name: "生成文档" });
  }
  get complaint(): Locator {
    return this.page.getByRole("alert");
  }

  constructor(private readonly page: Page) {}

  async open(): Promise<void> {
    await this.page.goto("/manager/opus-document");
  }

  async choose(group: string, name: string): Promise<void> {
    await this.page.getByRole("group", { name: group }).getByRole("radio", { name }).check();
  }

  async choosePdf(name: string, buffer: Buffer): Promise<void> {
    await this.file.setInputFiles({ name, mimeType: "application/pdf", buffer });
  }
}
