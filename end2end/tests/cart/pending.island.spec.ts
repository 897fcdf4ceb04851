// Changes of the cart that are still on their way when the next thing is pressed.
import { CartPage } from "../../pages/CartPage.js";
import { OptionsDialog } from "../../pages/OptionsDialog.js";
import { bookInCart, threeInCart } from "../../support/making.js";
import { hold } from "../../support/line.js";
import { allPicturesLoad } from "../../support/pictures.js";
import { middle } from "../../support/still.js";
import { expect, test } from "../../support/test.js";

const TITLE = "等一等";

test.describe("one line", () => {
  test.beforeEach(async ({ page, signedIn: _ }) => {
    await bookInCart(page, TITLE);
    await new CartPage(page).open();
  });

  for (const when of ["at once", "while it is sent"]) {
    test(`a number that is typed is what is ordered, with 结算 pressed ${when}`, async ({ page }) => {
      const cart = new CartPage(page);
      const release = await hold(page, "**/quantity");
      const sent = page.waitForRequest("**/quantity");
      await cart.quantity(TITLE).fill("37");
      if (when !== "at once") {
        await cart.quantity(TITLE).blur();
        await sent;
      }
      await cart.checkOut.click();
      await sent;
      release();
      await expect(page).toHaveURL(/\/manager\/shopping\/order\//);
      await expect(page.getByRole("main")).toContainText("37");
      await cart.open();
      await expect(cart.quantity(TITLE)).toHaveValue("37");
    });
  }

  test("Enter in a line's box orders nothing while a number is on its way", async ({ page }) => {
    const cart = new CartPage(page);
    const release = await hold(page, "**/quantity");
    const sent = page.waitForRequest("**/quantity");
    await cart.quantity(TITLE).fill("6");
    await cart.chosen(TITLE).press("Enter");
    await sent;
    const shown = page.waitForEvent("load");
    release();
    await shown;
    await expect(page).toHaveURL(/\/manager\/shopping\/cart/);
    await expect(cart.quantity(TITLE)).toHaveValue("6");
  });

  test("a number that can't be is refused before the order", async ({ page }) => {
    const cart = new CartPage(page);
    await cart.quantity(TITLE).fill("0");
    for (let press = 0; press < 2; press += 1) {
      await cart.checkOut.click();
      await expect(cart.quantity(TITLE)).toHaveAccessibleDescription("数量须为 1 到 1000000 的整数");
      await expect(cart.quantity(TITLE)).toBeFocused();
    }
    await expect(page).toHaveURL("/manager/shopping/cart");
  });

  test("a number that can't be sent stays and can be sent again", async ({ page }) => {
    const cart = new CartPage(page);
    await page.route("**/quantity", (route) => route.fulfill({ status: 400, contentType: "text/html", body: "<p>不行" }));
    await cart.quantity(TITLE).fill("8");
    await cart.checkOut.click();
    await expect(page.getByRole("alert")).toHaveText("请求失败，请重试");
    await expect(page).toHaveURL("/manager/shopping/cart");
    await expect(cart.quantity(TITLE)).toHaveValue("8");
    await expect(cart.quantity(TITLE)).toHaveAttribute("aria-invalid", "true");
    await page.unroute("**/quantity");
    await cart.keepQuantity(TITLE).click();
    await expect(cart.keepQuantity(TITLE)).toHaveCount(0);
    await expect(cart.quantity(TITLE)).not.toHaveAttribute("aria-invalid");
    await page.reload();
    await expect(cart.quantity(TITLE)).toHaveValue("8");
  });

  test("a number changed in the cart is the dialog's, too", async ({ page }) => {
    const [dialog, cart] = [new OptionsDialog(page), new CartPage(page)];
    await dialog.link(TITLE).hover();
    const release = await hold(page, "**/quantity");
    const sent = page.waitForRequest("**/quantity");
    await cart.quantity(TITLE).fill("5");
    await dialog.link(TITLE).click();
    await sent;
    release();
    await dialog.ready();
    await expect(dialog.quantity).toHaveValue("5");
    await expect(dialog.root.getByText("已恢复上次没有保存的选择")).toHaveCount(0);
    await dialog.remark.fill("五本");
    await dialog.next.click();
    await expect(dialog.root).toHaveCount(0);
    await expect(page.getByRole("status").filter({ hasText: "已更新" })).toBeVisible();
    await expect(cart.quantity(TITLE)).toHaveValue("5");
  });

  test("closed while it saves, the dialog has saved all the same", async ({ page }) => {
    const [dialog, cart] = [new OptionsDialog(page), new CartPage(page)];
    await dialog.open(TITLE);
    const release = await hold(page, "**/shopping/updateCart");
    await dialog.quantity.fill("6");
    await dialog.next.click();
    await expect(dialog.saving).toHaveAttribute("aria-busy", "true");
    await page.keyboard.press("Escape");
    await expect(dialog.root).toHaveCount(0);
    release();
    await expect(cart.quantity(TITLE)).toHaveValue("6");
    await dialog.open(TITLE);
    await expect(dialog.quantity).toHaveValue("6");
    await expect(dialog.root.getByText("已恢复上次没有保存的选择")).toHaveCount(0);
  });

  test("opened again while it saves, the dialog shows what is saved", async ({ page }) => {
    const dialog = new OptionsDialog(page);
    await dialog.open(TITLE);
    const release = await hold(page, "**/shopping/updateCart");
    await dialog.quantity.fill("6");
    await dialog.next.click();
    await page.keyboard.press("Escape");
    await expect(dialog.root).toHaveCount(0);
    await dialog.link(TITLE).click();
    await expect(dialog.root).toBeVisible();
    release();
    await expect(page.getByRole("status").filter({ hasText: "已更新" })).toBeVisible();
    await dialog.open(TITLE);
    await expect(dialog.quantity).toHaveValue("6");
  });

  test("what is changed while it saves is said to be unsaved, and the cart shows what is saved", async ({ page }) => {
    const [dialog, cart] = [new OptionsDialog(page), new CartPage(page)];
    await dialog.open(TITLE);
    const release = await hold(page, "**/shopping/updateCart");
    await dialog.quantity.fill("6");
    await dialog.next.click();
    await expect(dialog.saving).toBeVisible();
    await dialog.remark.fill("后来");
    release();
    await expect(dialog.news.filter({ hasText: "已保存，之后的改动还没有保存" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(cart.quantity(TITLE)).toHaveValue("6");
    await dialog.open(TITLE);
    await expect(dialog.root.getByText("已恢复上次没有保存的选择")).toBeVisible();
    await expect(dialog.remark).toHaveValue("后来");
  });

  test("a double tap on the link chooses nothing", async ({ page }) => {
    const dialog = new OptionsDialog(page);
    await dialog.open(TITLE);
    const { x, y } = await middle(dialog.step("装订方式").locator("label:has(:enabled:not(:checked))").first());
    await dialog.close.click();
    // the link where the dialog has an option
    await dialog.link(TITLE).evaluate((link, [x, y]) => {
      Object.assign(link.style, { position: "fixed", zIndex: "9", insetInlineStart: `${x - 5}px`, insetBlockStart: `${y - 22}px` });
    }, [x, y] as const);
    await page.mouse.dblclick(x, y);
    await dialog.priceAgain.waitFor({ state: "detached" });
    await expect(dialog.item("装订方式", "普通精装")).toBeChecked();
    // a press of its own, a moment later, chooses
    await expect(async () => {
      await page.mouse.click(x, y);
      await expect(dialog.item("装订方式", "普通精装")).not.toBeChecked({ timeout: 500 });
    }).toPass();
  });

  test("a line that another tab has removed is said to be gone", async ({ page, context }) => {
    const [dialog, cart] = [new OptionsDialog(page), new CartPage(page)];
    const other = new CartPage(await context.newPage());
    const fromElsewhere = async (press: "移除" | "撤销") => {
      await other.open();
      await (press === "移除" ? other.line(TITLE).getByRole("button", { name: press }) : other.undo).click();
      await expect(other.lines).toHaveCount(press === "移除" ? 0 : 1);
    };
    // a save; pictures of a line that is gone would be missing
    await dialog.open(TITLE);
    await allPicturesLoad(dialog.root);
    await fromElsewhere("移除");
    await dialog.next.click();
    await expect(cart.gone).toBeVisible();
    await expect(dialog.root).toHaveCount(0);
    await expect(cart.empty).toBeVisible();
    // a number
    await fromElsewhere("撤销");
    await cart.open();
    await fromElsewhere("移除");
    await cart.quantity(TITLE).fill("3");
    await cart.quantity(TITLE).press("Enter");
    await expect(cart.gone).toBeVisible();
    await expect(cart.empty).toBeVisible();
    // the dialog itself
    await fromElsewhere("撤销");
    await cart.open();
    await fromElsewhere("移除");
    await dialog.link(TITLE).click();
    await expect(cart.gone).toBeVisible();
    await expect(dialog.root).toHaveCount(0);
    await expect(cart.empty).toBeVisible();
  });

  test("a step with nothing left to choose says so and can't be saved", async ({ page }) => {
    const dialog = new OptionsDialog(page);
    await page.route("**/cart/cartInfo?*", async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { data: { data: { buzhou: { Name: string; items: { fits: boolean; reason: string }[] }[] } } };
      for (const item of answer.data.data.buzhou.find((step) => step.Name === "装订方式")?.items ?? []) {
        Object.assign(item, { fits: false, reason: "页数不合" });
      }
      await route.fulfill({ response, json: answer });
    });
    await dialog.open(TITLE);
    await expect(dialog.root.getByText("这一步没有适合这本书的选项")).toBeVisible();
    await expect(dialog.next).toBeDisabled();
  });

  test("an explanation that is on its way says so", async ({ page }) => {
    const dialog = new OptionsDialog(page);
    await dialog.open(TITLE);
    const release = await hold(page, "**/cart/priceLines?*");
    await dialog.root.getByText("价格怎么来的").click();
    await expect(dialog.explanation).toContainText("正在计算…");
    release();
    await expect(dialog.explanation).toContainText("合计");
    await expect(dialog.explanation).not.toContainText("正在计算…");
  });

  test("with letters of twice the size nothing leaves a phone's dialog sideways", async ({ page }) => {
    const dialog = new OptionsDialog(page);
    await page.setViewportSize({ width: 360, height: 760 });
    await page.addInitScript(() => addEventListener("DOMContentLoaded", () => (document.documentElement.style.fontSize = "200%")));
    await page.reload();
    await dialog.open(TITLE);
    expect(await dialog.root.evaluate((panel) => panel.scrollWidth - panel.clientWidth)).toBe(0);
  });

  test("signing out forgets what the browser keeps", async ({ page }) => {
    const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("desk:")));
    await new CartPage(page).chosen(TITLE).uncheck();
    expect(await kept()).not.toEqual([]);
    await page.evaluate(() => document.querySelector<HTMLFormElement>("form[action='/manager/logout']")?.requestSubmit());
    await expect(page).not.toHaveURL("/manager/shopping/cart");
    // that pages which the browser keeps are nobody's any more
    expect(await kept()).toEqual(["desk:here"]);
    expect(await page.evaluate(() => localStorage.getItem("desk:here"))).toBe("");
  });
});

test("removed and put back by keyboard, the same line comes back and no other goes", async ({ page, signedIn: _ }) => {
  await threeInCart(page, TITLE);
  const cart = new CartPage(page);
  await cart.open();
  const second = await cart.lines.nth(1).getAttribute("id");
  await cart.lines.nth(1).getByRole("button", { name: "移除" }).focus();
  await page.keyboard.press("Enter");
  await expect(cart.lines).toHaveCount(2);
  await cart.undo.focus();
  await page.keyboard.press("Enter");
  await expect(cart.lines).toHaveCount(3);
  await expect(page.locator(`#${second} :focus`), "the focus is in the line that came back").toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(cart.lines).toHaveCount(3);
});

test.describe("without a server", () => {
  test.use({ breaksRequests: true });

  test("the server stops while the dialog is open, and nothing chosen is lost", async ({ page, signedIn: _ }) => {
    const [dialog, cart] = [new OptionsDialog(page), new CartPage(page)];
    await bookInCart(page, TITLE);
    await cart.open();
    await dialog.open(TITLE);
    await dialog.root.getByText("价格怎么来的").click();
    await expect(dialog.explanation).toContainText("合计");
    await page.route(/./, (route) => route.abort());
    await dialog.choose("装订方式", "铁圈装");
    await dialog.remark.fill("保留我");
    await expect(dialog.root.getByText("计算价格失败，请稍后再试", { exact: true })).toBeVisible();
    await dialog.next.click();
    await expect(dialog.complaint.getByText("更新购物车失败，请稍后再试", { exact: true })).toBeVisible();
    await expect(dialog.item("装订方式", "铁圈装")).toBeChecked();
    await expect(dialog.remark).toHaveValue("保留我");
    // over the dialog, too, where it can be reached
    await dialog.root.getByRole("button", { name: "关闭提示" }).click();
    await page.unroute(/./);
    // saved, but nothing more comes
    await page.route("**/shopping/cart", (route) => route.abort());
    await dialog.next.click();
    await expect(dialog.root).toHaveCount(0);
    await expect(page.getByText("已保存，但购物车没能刷新")).toBeVisible();
    await page.unroute("**/shopping/cart");
    await page.getByRole("link", { name: "重新加载" }).click();
    await expect(cart.line(TITLE)).toContainText("铁圈装");
  });
});
