import type { Locator } from "@playwright/test";
import { AddressForm } from "./AddressForm.js";

/** /manager/shopping/order/{ids}: 确认订单. */
export class CheckoutPage extends AddressForm {
  get heading(): Locator {
    return this.page.getByRole("heading", { level: 1, name: "确认订单" });
  }
  get saveAddress(): Locator {
    return this.page.getByRole("button", { name: "保存地址，计算运费" });
  }
  get place(): Locator {
    return this.page.getByRole("button", { name: "提交订单" });
  }
  get sums(): Locator {
    return this.page.getByRole("complementary", { name: "金额" });
  }
  get complaint(): Locator {
    return this.page.getByRole("alert");
  }

  /** The pages of a book, to leaf through. */
  book(title: string): Locator {
    return this.page.getByRole("group", { name: `《${title}》一页一页看` });
  }
  get on(): Locator {
    return this.page.getByRole("button", { name: "往后翻" });
  }
  /** Where it is open. */
  get opening(): Locator {
    return this.page.locator("[data-turning] output");
  }
  get decision(): Locator {
    return this.page.getByRole("checkbox", { name: /就这样印/ });
  }

  /** With a new address as far as the button that orders. */
  async addAddress(): Promise<void> {
    await this.fillAddress();
    await this.place.waitFor();
  }
}
