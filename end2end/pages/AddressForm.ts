import type { Locator, Page } from "@playwright/test";

/** The fields of a shipping address, on the address pages and at the checkout. */
export class AddressForm {
  get receiver(): Locator {
    return this.page.getByLabel("收货人");
  }
  get phone(): Locator {
    return this.page.getByLabel("联系电话");
  }
  get province(): Locator {
    return this.page.getByLabel("省份");
  }
  get city(): Locator {
    return this.page.getByLabel("城市", { exact: true });
  }
  get district(): Locator {
    return this.page.getByLabel("区县", { exact: true });
  }
  get street(): Locator {
    return this.page.getByLabel("详细地址");
  }
  /** Lists the cities where no script does. */
  get look(): Locator {
    return this.page.getByRole("button", { name: "按省份列出城市和区县" });
  }

  constructor(protected readonly page: Page) {}

  async chooseRegion(province: string, city: string, district: string): Promise<void> {
    await this.province.selectOption(province);
    // a script that has come takes the button away
    await this.page.waitForLoadState("load");
    if (await this.look.isVisible()) await this.look.click();
    await this.city.selectOption(city);
    await this.district.selectOption({ label: district });
  }

  async fillAddress(): Promise<void> {
    await this.receiver.fill("林知夏");
    await this.phone.fill("13800138000");
    await this.chooseRegion("浙江省", "杭州市", "西湖区");
    await this.street.fill("龙井路 18 号");
  }
}
