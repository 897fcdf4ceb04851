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

  /** With a new address as far as the button that orders. */
  async addAddress(): Promise<void> {
    await this.fillAddress();
    await this.saveAddress.click();
    await this.place.waitFor();
  }
}
