import { AddressesPage } from "../../pages/AddressesPage.js";
import { expect, test } from "../../support/test.js";

const NEW = "/manager/userInfo/addresses/new";

test("cities and districts follow the province in place", async ({ page, signedIn: _ }) => {
  const addresses = new AddressesPage(page);
  await page.goto(NEW);
  await expect(addresses.look).toHaveCount(0);
  await addresses.receiver.fill("林知夏");
  await addresses.chooseRegion("浙江省", "杭州市", "西湖区");
  await addresses.city.selectOption("宁波市");
  await expect(addresses.district).toHaveValue("");
  await addresses.district.selectOption("海曙区");
  await addresses.province.selectOption("湖北省");
  await addresses.city.selectOption("仙桃市");
  await expect(addresses.district).toHaveValue("仙桃市");
  await expect(addresses.receiver).toHaveValue("林知夏");
  await expect(page).toHaveURL(NEW);
});

test("changing the city of a saved address brings that city's districts", async ({ page, signedIn: _ }) => {
  const addresses = new AddressesPage(page);
  await page.goto(NEW);
  await addresses.fillAddress();
  await addresses.save.click();
  await addresses.card("林知夏").getByRole("link", { name: "修改" }).click();
  await expect(addresses.district).toHaveValue("西湖区");
  await addresses.city.selectOption("宁波市");
  await addresses.district.selectOption("海曙区");
  await addresses.save.click();
  await expect(addresses.card("林知夏")).toContainText("宁波市 海曙区");
});

test.describe("when cities can't be fetched", () => {
  test.use({ breaksRequests: true });

  test("the form's own button lists them", async ({ page, signedIn: _ }) => {
    await page.route("**/user-center/getRegions**", (route) => route.abort());
    const addresses = new AddressesPage(page);
    await page.goto(NEW);
    await addresses.street.fill("平江路 62 号");
    await addresses.province.selectOption("江苏省");
    await addresses.look.click();
    await expect(addresses.street).toHaveValue("平江路 62 号");
    // the script asks again, in vain, and leaves the page's own lists
    await expect(addresses.look).toBeVisible();
    await addresses.district.selectOption("苏州市/姑苏区");
    await addresses.receiver.fill("林建国");
    await addresses.phone.fill("13800138000");
    await addresses.save.click();
    await expect(addresses.card("林建国")).toContainText("江苏省 苏州市 姑苏区 平江路 62 号");
  });
});
