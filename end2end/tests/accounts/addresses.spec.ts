import { AddressesPage } from "../../pages/AddressesPage.js";
import { expect, test } from "../../support/test.js";

test("an address is added, changed and removed", { tag: "@no-js" }, async ({ page, signedIn: _ }) => {
  const addresses = new AddressesPage(page);
  await addresses.open();
  await addresses.add.first().click();
  await addresses.fillAddress();
  await addresses.save.click();
  await expect(addresses.said).toHaveText("地址已保存。");
  await expect(addresses.card("林知夏")).toContainText("浙江省 杭州市 西湖区 龙井路 18 号");
  await expect(addresses.card("林知夏")).toContainText("默认");

  await addresses.add.click();
  await addresses.fillAddress();
  await addresses.receiver.fill("林建国");
  await addresses.chooseRegion("北京市", "北京市", "东城区");
  await addresses.makeDefault.check();
  await addresses.save.click();
  await expect(addresses.cards.first()).toContainText("林建国");

  await addresses.card("林知夏").getByRole("link", { name: "修改" }).click();
  await expect(addresses.district).toHaveValue("西湖区");
  await addresses.phone.fill("0571-87654321");
  await addresses.save.click();
  await expect(addresses.card("林知夏")).toContainText("0571-87654321");
  await addresses.card("林知夏").getByRole("button", { name: "设为默认" }).click();
  await expect(addresses.cards.first()).toContainText("林知夏");

  await addresses.remove("林知夏");
  await expect(addresses.said).toHaveText("地址已删除。");
  await expect(addresses.cards).toHaveCount(1);
  await expect(addresses.card("林建国")).toContainText("默认");
});

test("a wrong address keeps what was typed, and Enter saves", async ({ page, signedIn: _ }) => {
  const addresses = new AddressesPage(page);
  await page.goto("/manager/userInfo/addresses/new");
  await addresses.fillAddress();
  await addresses.phone.fill("12345");
  await addresses.street.press("Enter");
  await expect(addresses.complaint).toContainText("请输入正确的手机号码");
  await expect(addresses.phone).toHaveAttribute("aria-invalid", "true");
  await expect(addresses.district).toHaveValue("西湖区");
  await addresses.phone.fill("13800138000");
  await addresses.phone.press("Enter");
  await expect(addresses.said).toHaveText("地址已保存。");
});
