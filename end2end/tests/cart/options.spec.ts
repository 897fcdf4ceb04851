import { CartPage } from "../../pages/CartPage.js";
import { OptionsPage } from "../../pages/OptionsPage.js";
import { bookInCart } from "../../support/making.js";
import { expect, test } from "../../support/test.js";

test.beforeEach(async ({ page, signedIn: _ }) => {
  await page.goto(`/manager/shopping/cart/${await bookInCart(page, "选材料")}/options`);
});

test("what a book of these pages can't have stays visible and says why", async ({ page }) => {
  const options = new OptionsPage(page);
  await expect(options.heading).toBeVisible();
  const sewn = options.item("装订方式", /^锁线精装/);
  await expect(sewn).toBeDisabled();
  await expect(options.step("装订方式").getByText(/^锁线精装/)).toBeVisible();
  await expect(sewn, "the reason belongs to the name").toHaveAccessibleName(/\d+ 页超出 40–400/);
  await expect(options.item("装订方式", "普通精装")).toBeChecked();
});

test("another choice is priced before it is saved", async ({ page }) => {
  const options = new OptionsPage(page);
  const first = await options.total.innerText();
  await options.item("装订方式", "铁圈装").check();
  await options.quantity.fill("3");
  await options.reprice();
  await expect(options.total).not.toHaveText(first);
  await expect(options.item("装订方式", "铁圈装")).toBeChecked();
  await expect(options.quantity).toHaveValue("3");
  const second = await options.total.innerText();

  const cart = new CartPage(page);
  await cart.open();
  await expect(cart.line("选材料")).toContainText("普通精装");
  await page.goBack();
  await options.remark.fill("请用哑金");
  await options.next.click();
  await expect(page).toHaveURL("/manager/shopping/cart");
  await expect(cart.line("选材料")).toContainText("铁圈装");
  await expect(cart.quantity("选材料")).toHaveValue("3");
  await expect(cart.line("选材料")).toContainText(second.replace("总价", "").trim());
});

test("a cloth cover leaves the hard bindings, and another cover gives the others back", async ({ page }) => {
  const options = new OptionsPage(page);
  const wired = options.item("装订方式", /^铁圈装/);
  const cloth = options.item("封面材质", /^布艺/);
  await expect(wired).toBeEnabled();
  await cloth.check();
  await options.reprice();
  await expect(wired).toBeDisabled();
  await expect(wired, "the reason belongs to the name").toHaveAccessibleName(/^铁圈装.+/);
  await expect(cloth).toBeChecked();
  await expect(options.item("装订方式", "普通精装")).toBeChecked();
  await options.item("封面材质", "艺术纸").check();
  await options.reprice();
  await expect(wired).toBeEnabled();
  await wired.check();
  await options.reprice();
  await expect(wired).toBeChecked();
  // the cover rules the binding, not the other way round: chosen again, the cloth takes the wired away
  await cloth.check();
  await options.reprice();
  await expect(wired).toBeDisabled();
  await expect(wired).not.toBeChecked();
  await expect(options.item("装订方式", "普通精装")).toBeChecked();
});

test("a quantity that can't be is refused beside its field", async ({ page }) => {
  const options = new OptionsPage(page);
  // the browser itself would stop this; the server answers the same to one that does not
  await options.quantity.evaluate((field: HTMLInputElement) => {
    field.form?.setAttribute("novalidate", "");
  });
  await options.remark.fill("保留我");
  await options.quantity.fill("0");
  await options.next.click();
  await expect(options.complaint).toContainText("数量须为 1 到 1000000 的整数");
  await expect(options.quantity).toHaveAccessibleDescription("数量须为 1 到 1000000 的整数");
  await expect(options.remark).toHaveValue("保留我");
});

test("the price is explained, and the explanation sums to it", async ({ page }) => {
  const options = new OptionsPage(page);
  const explanation = page.getByRole("group").filter({ hasText: "价格怎么来的" });
  await page.getByText("价格怎么来的").click();
  await expect(explanation.getByText("合计")).toBeVisible();
  // with scripts, the explanation is asked for once more
  await expect(async () => {
    const amounts = await explanation.getByRole("definition").allInnerTexts();
    const fen = amounts.map((amount) => Math.round(Number(amount.replace(/[¥,\s]/g, "")) * 100));
    const sum = fen.pop() ?? 0;
    expect(sum).toBeGreaterThan(0);
    expect(fen.reduce((one, other) => one + other, 0)).toBe(sum);
    expect((await options.total.innerText()).replace(/[^0-9.]/g, "")).toBe((sum / 100).toFixed(2));
  }).toPass();
});

test("a bundle is chosen with one press, and each copy's price is beside it", async ({ page }) => {
  const options = new OptionsPage(page);
  const gift = page.getByRole("button", { name: /^礼品/ });
  await expect(gift).toContainText("布艺封面");
  const each = (await gift.innerText()).match(/[\d.]+(?=\s*每本)/)?.[0] ?? "nothing";
  await gift.click();
  await expect(options.item("封面材质", "布艺")).toBeChecked();
  await expect(options.item("附礼品盒", "天地盖礼盒")).toBeChecked();
  await options.reprice();
  await expect(options.total).toContainText(each);
  await expect(page.getByRole("button", { name: /^礼品/ })).toHaveAttribute("aria-pressed", "true");
  await options.next.click();
  await expect(new CartPage(page).line("选材料")).toContainText("布艺");
});

test("a craft is seen on the front, and what it is drawn from is chosen with it", { tag: "@no-js" }, async ({ page, javaScriptEnabled }) => {
  const options = new OptionsPage(page);
  const reprice = () => (javaScriptEnabled ? options.reprice() : options.priceAgain.click());
  await expect(page.getByText("选了烫金、局部UV或起鼓以后")).toBeVisible();
  await options.item("其他工艺", /^烫金/).check();
  await reprice();
  const price = await options.total.innerText();
  await options.item("工艺图样", "书名和枝叶").check();
  await reprice();
  await expect(options.total, "it costs nothing").toHaveText(price);
  const front = page.getByRole("img", { name: "《选材料》封面" });
  await expect(front).toHaveAttribute("src", /front\/720\?.*artwork=title-sprig/);
  // rings would go through what runs along the edges
  await options.item("装订方式", /^铁圈装/).check();
  await reprice();
  await expect(options.item("工艺图样", /^边框/)).toBeDisabled();
  await expect(options.item("工艺图样", "书名和枝叶")).toBeChecked();
  await options.next.click();
  await expect(new CartPage(page).line("选材料")).toContainText("书名和枝叶");
});
