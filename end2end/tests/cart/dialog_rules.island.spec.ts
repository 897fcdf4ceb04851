// Every rule of sections 4 and 5 of the specification, by the names that a member sees. The demo member's cart shows each
// of them; nothing is saved here.
import { CartPage } from "../../pages/CartPage.js";
import { OptionsDialog } from "../../pages/OptionsDialog.js";
import { DEMO } from "../../support/server.js";
import { expect, signIn, test } from "../../support/test.js";

/** A square album of 48 pages, an A4 album of 50, a booklet of 30 whose ends are glued in, a layflat album of 20. */
const [SQUARE, A4, BOOKLET, LAYFLAT] = ["山海之间", "外婆的老屋", "毕业那年", "我们的婚礼"];

test.beforeEach(async ({ page }) => {
  await signIn(page, DEMO);
  await new CartPage(page).open();
});

test("a binding outside its page range can't be chosen and says why", async ({ page }) => {
  const dialog = new OptionsDialog(page);
  await dialog.open(SQUARE);
  await expect(dialog.item("装订方式", /^豪华装/)).toBeDisabled();
  await expect(dialog.item("装订方式", /^豪华装/)).toHaveAccessibleName(/48 页超出 \d+–40/);
  await expect(dialog.item("装订方式", "普通精装")).toBeEnabled();
});

test("each weight of paper has its own page range", async ({ page }) => {
  const dialog = new OptionsDialog(page);
  await dialog.open(SQUARE);
  await expect(dialog.item("内页克重", "200克")).toBeEnabled();
  await expect(dialog.item("内页克重", "157克")).toBeEnabled();
  await expect(dialog.item("内页克重", /^128克/)).toHaveAccessibleName(/48 页超出 67–9999/);
  await expect(dialog.item("内页克重", /^250克/)).toHaveAccessibleName(/48 页超出 1–31/);
  for (const name of [/^128克/, /^250克/]) await expect(dialog.item("内页克重", name)).toBeDisabled();
});

test("骑马钉 needs a multiple of four, or two more with glued ends", async ({ page }) => {
  const dialog = new OptionsDialog(page);
  await dialog.open(SQUARE);
  await expect(dialog.item("装订方式", "骑马钉"), "48 pages").toBeEnabled();
  await dialog.close.click();
  await dialog.open(A4);
  await expect(dialog.item("装订方式", /^骑马钉/), "50 pages").toHaveAccessibleName(/页数须为 4 的倍数/);
  await dialog.close.click();
  await dialog.open(BOOKLET);
  await expect(dialog.item("装订方式", "骑马钉"), "30 − 2 pages").toBeEnabled();
});

test("a cloth cover leaves the hard bindings only, and what it took away is replaced and said", async ({ page }) => {
  const dialog = new OptionsDialog(page);
  await dialog.open(SQUARE);
  await dialog.choose("封面材质", "艺术纸");
  await dialog.choose("装订方式", "普通平装");
  await expect(dialog.item("装订方式", "普通平装")).toBeChecked();
  await dialog.choose("封面材质", "布艺");
  for (const soft of [/^普通平装/, /^骑马钉/, /^PUR平装/, /^铁圈装/]) {
    await expect(dialog.item("装订方式", soft)).toBeDisabled();
    await expect(dialog.item("装订方式", soft)).toHaveAccessibleName(/布艺封面只能选精装或豪华装|超出/);
  }
  await expect(dialog.item("装订方式", "普通精装")).toBeChecked();
  await expect(dialog.news.filter({ hasText: "已将装订方式改为普通精装" })).toBeAttached();
  await dialog.choose("封面材质", "艺术纸");
  await expect(dialog.item("装订方式", "普通平装")).toBeEnabled();
  await expect(dialog.item("装订方式", "普通精装"), "what was chosen stays").toBeChecked();
});

test("mounted and deluxe bindings need a film on the inner pages", async ({ page }) => {
  const dialog = new OptionsDialog(page);
  await dialog.open(LAYFLAT);
  const bare = dialog.item("内页覆膜", /^不覆膜/);
  for (const binding of ["对裱精装", "豪华装"]) {
    await dialog.choose("装订方式", binding);
    await expect(dialog.item("装订方式", binding)).toBeChecked();
    await expect(bare).toBeDisabled();
    await expect(bare).toHaveAccessibleName(new RegExp(`${binding}的内页必须覆膜`));
  }
});

test("the binding shows its picture and what it is", async ({ page }) => {
  const dialog = new OptionsDialog(page);
  await dialog.open(SQUARE);
  await dialog.choose("装订方式", "普通精装");
  await expect(dialog.root.getByRole("img", { name: "普通精装的样子" })).toBeVisible();
  const before = await dialog.root.locator(".step .binding p").innerText();
  await dialog.choose("装订方式", "锁线精装");
  await expect(dialog.root.getByRole("img", { name: "锁线精装的样子" })).toBeVisible();
  await expect(dialog.root.locator(".step .binding p")).not.toHaveText(before);
});

test("the rules ask nobody", async ({ page }) => {
  const dialog = new OptionsDialog(page);
  await dialog.open(SQUARE);
  await dialog.choose("封面材质", "艺术纸");
  await dialog.choose("装订方式", "普通平装");
  let answered = false;
  page.on("response", () => (answered = true));
  // no answer ever comes
  await page.route(/./, () => undefined);
  await dialog.choose("封面材质", "布艺");
  await expect(dialog.item("装订方式", /^普通平装/)).toBeDisabled();
  await expect(dialog.item("装订方式", "普通精装")).toBeChecked();
  expect(answered).toBe(false);
});

test("a quantity that can't be asks for no price and can't be saved", async ({ page }) => {
  const dialog = new OptionsDialog(page);
  await dialog.open(SQUARE);
  for (const quantity of ["0", "1.5", "1000001", ""]) {
    await dialog.quantity.fill(quantity);
    await expect(dialog.quantity).toHaveAccessibleDescription("数量须为 1 到 1000000 的整数");
    await dialog.next.click();
    await expect(dialog.root, "it stays open").toBeVisible();
    await expect(dialog.quantity).toBeFocused();
  }
  await dialog.quantity.fill("1000000");
  await expect(dialog.quantity).toHaveAccessibleDescription("");
});

test("the explanation always sums to the total", async ({ page }) => {
  const dialog = new OptionsDialog(page);
  await dialog.open(SQUARE);
  await dialog.root.getByText("价格怎么来的").click();
  for (const quantity of ["1", "12", "60"]) {
    await dialog.quantity.fill(quantity);
    await expect(dialog.explanation).toContainText(`${quantity} 本`);
    await expect(dialog.root.locator("[aria-busy=true]")).toHaveCount(0);
    await expect(async () => {
      const amounts = await dialog.explanation.getByRole("definition").allInnerTexts();
      const fen = amounts.map((amount) => Math.round(Number(amount.replace(/[¥,\s]/g, "")) * 100));
      const sum = fen.pop();
      expect(fen.reduce((one, other) => one + other, 0)).toBe(sum);
      expect(await dialog.fen()).toBe(sum);
    }).toPass();
  }
});
