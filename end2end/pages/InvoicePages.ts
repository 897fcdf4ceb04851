import type { Locator, Page } from "@playwright/test";

/** /manager/invoice: 发票. */
export class InvoicesPage {
  /** The ways to ask, one for each order that can be invoiced. */
  get ask(): Locator {
    return this.page.getByRole("link", { name: "申请发票" });
  }
  get titles(): Locator {
    return this.page.getByRole("link", { name: "发票抬头" });
  }
  get download(): Locator {
    return this.page.getByRole("link", { name: "下载 PDF" });
  }

  constructor(private readonly page: Page) {}

  async open(): Promise<void> {
    await this.page.goto("/manager/invoice");
  }
}

/** The fields of a title, on /manager/invoice/new and on the pages of kept titles. */
export class TitleForm {
  get company(): Locator {
    return this.page.getByRole("radio", { name: "企业", exact: true });
  }
  get name(): Locator {
    return this.page.getByLabel("抬头名称");
  }
  get code(): Locator {
    return this.page.getByLabel("统一社会信用代码");
  }
  get complaint(): Locator {
    return this.page.getByRole("alert");
  }

  constructor(protected readonly page: Page) {}

  async fillCompany(name: string, code: string): Promise<void> {
    // the radio lies under its own words
    await this.company.check({ force: true });
    await this.name.fill(name);
    await this.code.fill(code);
  }
}

/** /manager/invoice/new. */
export class NewInvoicePage extends TitleForm {
  get email(): Locator {
    return this.page.getByLabel("接收邮箱");
  }
  get submit(): Locator {
    return this.page.getByRole("button", { name: "提交申请" });
  }

  kept(name: string): Locator {
    return this.page.getByRole("group", { name: "发票抬头" }).getByRole("radio", { name });
  }
}

/** /manager/invoice/{id}. */
export class InvoicePage {
  get heading(): Locator {
    return this.page.getByRole("heading", { level: 1, name: /的发票$/ });
  }
  get said(): Locator {
    return this.page.getByRole("status").filter({ hasText: /申请|撤销/ });
  }
  get progress(): Locator {
    return this.page.getByRole("complementary", { name: "进度与操作" });
  }
  get download(): Locator {
    return this.page.getByRole("link", { name: "下载 PDF" });
  }
  get again(): Locator {
    return this.page.getByRole("link", { name: "重新申请" });
  }

  constructor(private readonly page: Page) {}

  /** The number by which the operator knows it. */
  id(): string {
    return new URL(this.page.url()).pathname.split("/").pop() ?? "";
  }

  async cancel(): Promise<void> {
    await this.page.getByText("撤销申请").click();
    await this.page.getByRole("button", { name: "撤销这份申请" }).click();
  }
}
