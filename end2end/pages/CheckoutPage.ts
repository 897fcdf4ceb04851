import type { Locator, Page } from "@playwright/test";

/** /manager/shopping/order/{ids}: 确认订单. */
export class CheckoutPage {
  get heading(): Locator {
    return this.page.getByRole("heading", { level: 1, name: "确认订单" });
  }
  get receiver(): Locator {
    return this.page.getByLabel("收货人");
  }
  get phone(): Locator {
    return this.page.getByLabel("手机号码");
  }
  get province(): Locator {
    return this.page.getByLabel("省份");
  }
  get city(): Locator {
    return this.page.getByLabel("城市");
  }
  get district(): Locator {
    return this.page.getByLabel("区县");
  }
  get street(): Locator {
    return this.page.getByLabel("详细地址");
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

  constructor(private readonly page: Page) {}

  async fillAddress(): Promise<void> {
    await this.receiver.fill("林知夏");
    await this.phone.fill("13800138000");
    await this.province.selectOption("浙江省");
    await this.city.fill("杭州市");
    await this.district.fill("西湖区");
    await this.street.fill("龙井路 18 号");
  }

  /** With a new address as far as the button that orders. */
  async addAddress(): Promise<void> {
    await this.fillAddress();
    await this.saveAddress.click();
    await this.place.waitFor();
  }
}
