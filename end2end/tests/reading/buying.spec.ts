// A reader comes to the end of what may be tried, buys the rest, and reads on.
import { ReaderPage, shareTitled } from "../../pages/ReaderPage.js";
import { expect, test } from "../../support/test.js";

test.use({ balance: "60" });

test("what is bought is open when the page comes back", async ({ page, signedIn: _ }) => {
  const path = await shareTitled("我们的婚礼");
  await page.goto(`${path}/7`);
  await expect(page.getByRole("heading", { name: "购买以后接着读" })).toBeVisible();
  await page.getByRole("link", { name: "购买", exact: true }).click();
  await page.getByRole("button", { name: "购买阅读" }).click();
  await page.getByRole("button", { name: "用余额支付" }).dblclick();
  await page.getByRole("link", { name: "现在就读" }).click();
  await expect(page.getByRole("link", { name: "开始阅读" })).toBeVisible();
  await page.goto(`${path}/7`);
  await expect(new ReaderPage(page).picture).toBeVisible();
});

test("a printed copy is chosen with its options and its price", async ({ page, signedIn: _ }) => {
  await page.goto(await shareTitled("山海之间"));
  await page.getByRole("link", { name: "买一本印好的" }).click();
  await page.getByRole("link", { name: "选材料和数量" }).first().click();
  await page.getByLabel("数量（本）").fill("3");
  await page.getByRole("button", { name: "重新计价" }).click();
  await expect(page.getByText("5.00 × 3 本")).toBeVisible();
  await page.getByRole("button", { name: "下一步，填地址" }).click();
  await expect(page.getByRole("heading", { name: "确认订单" })).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "山海之间" })).toContainText("3 本");
});
