import type { Page } from "@playwright/test";

/** /manager/shopping/order/{ids}: 确认订单. */
export class CheckoutPage {
  readonly heading = this.page.getByRole("heading", { level: 1, name: "确认订单" });
  readonly receiver = this.page.getByLabel("收货人");
  readonly phone = this.page.getByLabel("手机号码");
  readonly province = this.page.getByLabel("省份");
  readonly city = this.page.getByLabel("城市");
  readonly district = this.page.getByLabel("区县");
  readonly street = this.page.getByLabel("详细地址");
  readonly saveAddress = this.page.getByRole("button", { name: "保存地址，计算运费" });
  readonly place = this.page.getByRole("button", { name: "提交订单" });
  readonly sums = this.page.getByRole("complementary", { name: "金额" });
  readonly complaint = this.page.getByRole("alert");

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
