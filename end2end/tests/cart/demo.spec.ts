import { CartPage } from "../../pages/CartPage.js";
import { Shell } from "../../pages/Shell.js";
import { allPicturesLoad } from "../../support/pictures.js";
import { DEMO } from "../../support/server.js";
import { expect, signIn, test } from "../../support/test.js";

const BOOKS: [string, string][] = [
  ["山海之间", "方形画册 210×210"],
  ["外婆的老屋", "A4"],
  ["秋日徒步手记", "A5"],
  ["毕业那年", "A5"],
  ["我们的婚礼", "横版对裱相册 280×210"],
  ["二〇二七", "A5 台历"],
  ["一年好景", "大台历"],
  ["四时", "方形挂历"],
  ["山河岁月", "A3 挂历"],
  ["家书", "A5 文档书"],
];

test("the demo member has books, and a cart with one line of every goods", async ({ page }) => {
  await signIn(page, DEMO);
  await page.goto("/manager/opus_list/all");
  for (const [title] of BOOKS) {
    await expect(page.getByRole("main").getByRole("link", { name: title })).toBeVisible();
  }
  // and the year book
  expect(await allPicturesLoad(page.getByRole("main"))).toBe(BOOKS.length + 1);

  await new Shell(page).cart.click();
  const cart = new CartPage(page);
  await expect(cart.lines).toHaveCount(BOOKS.length);
  for (const [title, goods] of BOOKS) {
    await expect(cart.line(title)).toHaveCount(1);
    await expect(cart.line(title)).toContainText(goods);
    await expect(cart.chosen(title)).toBeChecked();
  }
  expect(await allPicturesLoad(page.getByRole("main"))).toBe(BOOKS.length);
});

test("each of the demo lines can be opened and keeps its choices", async ({ page }) => {
  test.slow();
  await signIn(page, DEMO);
  const cart = new CartPage(page);
  await cart.open();
  const prices = await cart.lines.locator("strong").allInnerTexts();
  for (let index = 0; index < BOOKS.length; index += 1) {
    // by its address: with scripts, a click opens the dialog instead
    await page.goto((await cart.lines.nth(index).getByRole("link", { name: "改印刷选项" }).getAttribute("href")) ?? "");
    await expect(page.getByRole("heading", { level: 1, name: "印刷选项" })).toBeVisible();
    for (const step of await page.getByRole("group").filter({ has: page.getByRole("radio") }).all()) {
      await expect(step.getByRole("radio", { checked: true })).toHaveCount(1);
    }
    await expect(page.getByText(/^总价/)).toContainText((prices[index] ?? "?").trim());
    await page.getByRole("button", { name: "下一步" }).click();
    await expect(page).toHaveURL("/manager/shopping/cart");
    await expect(cart.lines).toHaveCount(BOOKS.length);
  }
  await expect.poll(() => cart.lines.locator("strong").allInnerTexts(), "saved as they were").toEqual(prices);
});
