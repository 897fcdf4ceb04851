import type { Locator, Page } from "@playwright/test";
import { codeTo } from "../support/outbox.js";

/** The two steps of 注册, 找回密码 and 更改手机号或邮箱: a contact, and the code sent to it. */
export class CodePage {
  get heading(): Locator {
    return this.page.getByRole("heading", { level: 1 });
  }
  get contact(): Locator {
    return this.page.getByRole("textbox", { name: "手机号或邮箱" });
  }
  get send(): Locator {
    return this.page.getByRole("button", { name: "发送验证码" });
  }
  get sent(): Locator {
    return this.page.getByRole("status");
  }
  get code(): Locator {
    return this.page.getByLabel("6 位验证码");
  }
  get password(): Locator {
    return this.page.getByLabel("密码", { exact: false });
  }
  get again(): Locator {
    return this.page.getByRole("button", { name: "重新发送" });
  }
  get complaint(): Locator {
    return this.page.getByRole("alert");
  }

  constructor(private readonly page: Page) {}

  /** The first step; answers the code. `data` is the server's folder where it is not the one of all tests. */
  async ask(contact: string, data?: string): Promise<string> {
    await this.contact.fill(contact);
    await this.send.click();
    await this.sent.waitFor();
    return codeTo(contact, data);
  }
}
