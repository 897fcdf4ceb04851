// The book that is leafed through before it is paid for, and what is asked of whoever pays.
import { CheckoutPage } from "../../pages/CheckoutPage.js";
import { album, bookInCart, coarse, lineOf } from "../../support/making.js";
import { allPicturesLoad } from "../../support/pictures.js";
import { expect, test } from "../../support/test.js";

test.use({ balance: "500" });

test("a book is seen whole before it is ordered", { tag: "@no-js" }, async ({ page, javaScriptEnabled, signedIn: _ }) => {
  const checkout = new CheckoutPage(page);
  await page.goto(`/manager/shopping/order/${await bookInCart(page, "翻开看看")}`);
  const book = checkout.book("翻开看看");
  await expect(page.getByAltText("《翻开看看》装订好的样子")).toBeVisible();
  await expect(page.getByRole("main")).toContainText("书脊");
  if (!javaScriptEnabled) {
    // all of it lies there side by side
    await expect(book.getByAltText("封面")).toBeVisible();
    await expect(book.getByAltText("第 2 页")).toBeVisible();
    await expect(book.getByAltText("封底")).toBeVisible();
    return;
  }
  await expect(checkout.opening).toHaveText("封面");
  await expect(book.getByAltText("第 2 页")).toBeHidden();
  await checkout.on.click();
  await expect(checkout.opening).toHaveText("第 1 页");
  // the browser's own menu turns nothing, nor a finger that scrolls the page
  await book.click({ button: "right" });
  await book.dispatchEvent("pointerdown", { isPrimary: true, button: 0, clientX: 100 });
  await book.dispatchEvent("pointercancel");
  await book.dispatchEvent("pointerup", { isPrimary: true, clientX: 100 });
  await expect(checkout.opening).toHaveText("第 1 页");
  await book.focus();
  await page.keyboard.press("ArrowRight");
  await expect(checkout.opening).toHaveText("第 2–3 页");
  await expect(book.getByAltText("第 2 页").first()).toBeVisible();
  await expect(page.locator(".over")).toHaveCount(0);
  await allPicturesLoad(book);
  await page.keyboard.press("ArrowLeft");
  await expect(checkout.opening).toHaveText("第 1 页");
});

test("whoever wants little motion sees no leaf turn", async ({ page, signedIn: _ }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`/manager/shopping/order/${await bookInCart(page, "不要动")}`);
  const checkout = new CheckoutPage(page);
  await page.evaluate(() => {
    Element.prototype.animate = () => {
      document.body.dataset.moved = "";
      throw new Error("something moved");
    };
  });
  await checkout.on.click();
  await expect(checkout.opening).toHaveText("第 1 页");
  await expect(checkout.book("不要动").getByAltText("第 1 页")).toBeVisible();
  expect(await page.evaluate(() => document.body.dataset.moved)).toBeUndefined();
});

test("what needs a hand is decided with one tick", { tag: "@no-js" }, async ({ page, signedIn: _ }) => {
  const work = await album(page, "糊了", 3);
  await coarse(page, work);
  await page.goto(`/manager/shopping/order/${await lineOf(page, work)}`);
  const checkout = new CheckoutPage(page);
  await expect(page.getByRole("main")).toContainText("会明显模糊");
  await checkout.addAddress();
  await checkout.place.click();
  await expect(checkout.complaint).toContainText("就这样印");
  await checkout.decision.check();
  await checkout.place.click();
  await expect(page).toHaveURL(/\/manager\/shopping\/pay/);
});
