import type { Locator } from "@playwright/test";
import { AddressForm } from "./AddressForm.js";

/** /manager/userInfo/addresses, and the pages that add and change one. */
export class AddressesPage extends AddressForm {
  get cards(): Locator {
    return this.page.getByRole("main").getByRole("listitem");
  }
  get add(): Locator {
    return this.page.getByRole("link", { name: "新增地址" });
  }
  get makeDefault(): Locator {
    return this.page.getByLabel("设为默认地址");
  }
  get save(): Locator {
    return this.page.getByRole("button", { name: "保存地址" });
  }
  get said(): Locator {
    return this.page.getByRole("status").filter({ hasText: "地址" });
  }
  get complaint(): Locator {
    return this.page.getByRole("alert");
  }

  async open(): Promise<void> {
    await this.page.goto("/manager/userInfo/addresses");
  }

  card(receiver: string): Locator {
    return this.cards.filter({ hasText: receiver });
  }

  async remove(receiver: string): Promise<void> {
    const card = this.card(receiver);
    await card.locator("summary").click();
    await card.getByRole("button", { name: "删除这个地址" }).click();
  }
}
