import type { Page, Request, Route } from "@playwright/test";
import { CartPage } from "../../pages/CartPage.js";
import { OptionsDialog } from "../../pages/OptionsDialog.js";
import { faults } from "../../support/axe.js";
import { bookInCart } from "../../support/making.js";
import { hold } from "../../support/line.js";
import { expect, test } from "../../support/test.js";

const TITLE = "选材料";

test.beforeEach(async ({ page, signedIn: _ }) => {
  await bookInCart(page, TITLE);
  await new CartPage(page).open();
});

/** What answers the scripts that only an island needs; the page's own come as ever. */
async function islandScripts(page: Page, answer: (route: Route) => Promise<void> | undefined): Promise<void> {
  // with bytes to save, nothing is loaded before somebody wants it
  await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
  const cart = page.url();
  // whatever the page before has begun to load ends with it
  await page.goto("about:blank");
  const own = new Set<string>();
  page.on("request", (request) => own.add(request.url()));
  await page.goto(cart);
  await page.waitForLoadState("networkidle");
  const before = new Set(own);
  await page.route(/\/assets\/.*\.js$/, (route) => (before.has(route.request().url()) ? route.continue() : answer(route)));
}

test("saved choices are shown in the cart without leaving it", async ({ page }) => {
  const [dialog, cart] = [new OptionsDialog(page), new CartPage(page)];
  await dialog.open(TITLE);
  await dialog.choose("装订方式", "铁圈装");
  await dialog.quantity.fill("12");
  await dialog.remark.fill("请用哑金");
  await expect(dialog.root.locator("[aria-busy=true]")).toHaveCount(0);
  const total = await dialog.total.innerText();
  await page.evaluate(() => Object.assign(globalThis, { same: true }));
  await dialog.next.click();
  await expect(dialog.root).toHaveCount(0);
  await expect(page.getByRole("status").filter({ hasText: "已更新" })).toBeVisible();
  await expect(cart.line(TITLE)).toContainText("铁圈装");
  await expect(cart.line(TITLE)).toContainText(total.replace("总价", "").trim());
  await expect(cart.quantity(TITLE)).toHaveValue("12");
  expect(await page.evaluate(() => "same" in globalThis), "the page was not left").toBe(true);
  await expect(dialog.link(TITLE), "the focus is back where it was").toBeFocused();
  await dialog.open(TITLE);
  await expect(dialog.remark).toHaveValue("请用哑金");
  await expect(dialog.item("装订方式", "铁圈装")).toBeChecked();
});

test("a choice is drawn, in the steps it changes alone, before anything is kept or asked for", async ({ page }) => {
  const dialog = new OptionsDialog(page);
  await dialog.open(TITLE);
  const { drawn, before } = await dialog.item("封面材质", "布艺").evaluate(async (radio) => {
    const done: string[] = [];
    Object.assign(globalThis, { done });
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (...given) {
      done.push("kept");
      setItem.apply(this, given);
    };
    const { fetch } = globalThis;
    globalThis.fetch = (...given) => {
      done.push("asked");
      return fetch(...given);
    };
    const records: MutationRecord[] = [];
    const observer = new MutationObserver((more) => records.push(...more));
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    observer.observe(radio.closest("dialog") as Element, all);
    (radio as HTMLInputElement).click();
    // React draws a click before the browser goes on
    await Promise.resolve();
    const places = [...records, ...observer.takeRecords()].map(({ target }) => (target as Element).closest(".step")?.id);
    return { drawn: [...new Set(places)].filter(Boolean).sort(), before: [...done] };
  });
  const steps = ["装订方式", "封面材质", "其他工艺"].map((name) => dialog.step(name).evaluate((group) => group.closest(".step")?.id));
  expect(before).toEqual([]);
  expect(drawn).toEqual((await Promise.all(steps)).sort());
  await expect.poll(() => page.evaluate(() => [...new Set((globalThis as unknown as { done: string[] }).done)].sort())).toEqual(["asked", "kept"]);
});

test("the form is there before its script, and works without it", async ({ page }) => {
  const [dialog, cart] = [new OptionsDialog(page), new CartPage(page)];
  await islandScripts(page, () => undefined);
  await dialog.link(TITLE).click();
  await expect(dialog.priceAgain).toBeVisible({ timeout: 1_000 });
  await dialog.item("装订方式", "铁圈装").check();
  await dialog.next.click();
  await expect(page).toHaveURL("/manager/shopping/cart");
  await expect(dialog.root).toHaveCount(0);
  await expect(cart.line(TITLE)).toContainText("铁圈装");
});

test("what was chosen before the script came is taken over", async ({ page }) => {
  const dialog = new OptionsDialog(page);
  let release = () => undefined as void;
  const held = new Promise<void>((resolve) => (release = resolve));
  await islandScripts(page, async (route) => {
    await held;
    await route.continue();
  });
  await dialog.link(TITLE).click();
  await dialog.item("装订方式", "铁圈装").check();
  await dialog.quantity.fill("7");
  await dialog.remark.fill("轻放");
  release();
  await expect(dialog.priceAgain).toHaveCount(0);
  await expect(dialog.item("装订方式", "铁圈装")).toBeChecked();
  await expect(dialog.quantity).toHaveValue("7");
  await expect(dialog.remark).toHaveValue("轻放");
  await expect(dialog.remark).toBeFocused();
});

test("a script that can't be loaded is told to the page and leaves the form", async ({ page }) => {
  const dialog = new OptionsDialog(page);
  await page.addInitScript(() => {
    addEventListener("preload-error", (event) => {
      event.preventDefault();
      const { told = [] } = globalThis as { told?: string[] };
      Object.assign(globalThis, { told: [...told, (event as CustomEvent).detail.name] });
    });
  });
  const torn = { contentType: "text/javascript", body: "throw new Error('torn')" };
  await islandScripts(page, (route) => route.fulfill(torn));
  await dialog.link(TITLE).click();
  await expect(dialog.priceAgain).toBeVisible();
  await expect.poll(() => page.evaluate(() => (globalThis as { told?: string[] }).told)).toContain("print-options");
});

test("a price that can't be had says so and can be asked for again", async ({ page }) => {
  const dialog = new OptionsDialog(page);
  await dialog.open(TITLE);
  const before = await dialog.fen();
  await page.route("**/shopping/getTotal?*", (route) => route.fulfill({ status: 400, json: { code: 400, msg: "不行" } }));
  await dialog.quantity.fill("3");
  await expect(dialog.complaint).toContainText("计算价格失败，请稍后再试");
  await page.unroute("**/shopping/getTotal?*");
  await dialog.root.getByRole("button", { name: "重试" }).click();
  await expect(dialog.complaint).toHaveCount(0);
  await expect.poll(() => dialog.fen()).toBeGreaterThan(before);
});

test("the newest answer wins, however late an older one comes", async ({ page }) => {
  const dialog = new OptionsDialog(page);
  await dialog.open(TITLE);
  const isOlder = (request: Request) => /getTotal\?.*\bcount=2\b/.test(request.url());
  const release = await hold(page, /getTotal\?.*\bcount=2\b/);
  const asked = page.waitForEvent("request", isOlder);
  // its answer comes, or nobody waits for it any more
  const over = Promise.race([page.waitForEvent("requestfinished", isOlder), page.waitForEvent("requestfailed", isOlder)]);
  const one = await dialog.fen();
  await dialog.quantity.fill("2");
  await asked;
  await dialog.quantity.fill("5");
  await expect.poll(() => dialog.fen()).toBe(5 * one);
  release();
  await over;
  expect(await dialog.fen()).toBe(5 * one);
});

for (const [what, answer] of [
  ["refuses", { status: 400, json: { code: 400, msg: "内页克重不可选" } }],
  ["breaks", { status: 200, contentType: "text/plain", body: "no" }],
] as const) {
  test(`a server that ${what} while saving loses no choice`, async ({ page }) => {
    const dialog = new OptionsDialog(page);
    await dialog.open(TITLE);
    await dialog.choose("装订方式", "铁圈装");
    await dialog.remark.fill("保留我");
    await page.route("**/shopping/updateCart", (route) => route.fulfill(answer));
    await dialog.next.click();
    await expect(dialog.complaint).toContainText("更新购物车失败，请稍后再试");
    await expect(dialog.item("装订方式", "铁圈装")).toBeChecked();
    await expect(dialog.remark).toHaveValue("保留我");
    await page.unroute("**/shopping/updateCart");
    await dialog.next.click();
    await expect(dialog.root).toHaveCount(0);
    await expect(new CartPage(page).line(TITLE)).toContainText("铁圈装");
  });
}

test("pressing twice saves once", async ({ page }) => {
  const dialog = new OptionsDialog(page);
  await dialog.open(TITLE);
  await dialog.choose("装订方式", "铁圈装");
  let sent = 0;
  const release = await hold(page, "**/shopping/updateCart");
  page.on("request", (request) => (sent += request.url().includes("/shopping/updateCart") ? 1 : 0));
  await dialog.next.dblclick();
  release();
  await expect(dialog.root).toHaveCount(0);
  expect(sent).toBe(1);
});

test("signed out meanwhile, nothing is lost and the way in is shown", async ({ page }) => {
  const [dialog] = [new OptionsDialog(page)];
  await dialog.open(TITLE);
  await dialog.choose("装订方式", "铁圈装");
  await page.context().clearCookies();
  await dialog.next.click();
  await expect(dialog.complaint.filter({ hasText: "登录" }).first()).toBeVisible();
  await expect(dialog.root.getByRole("link", { name: /登录/ }).first()).toHaveAttribute("href", /^\/manager\/login/);
  await expect(dialog.item("装订方式", "铁圈装")).toBeChecked();
});

test("choices that were not saved come back with the dialog", async ({ page }) => {
  const dialog = new OptionsDialog(page);
  await dialog.open(TITLE);
  await dialog.choose("装订方式", "铁圈装");
  await dialog.quantity.fill("9");
  await page.keyboard.press("Escape");
  await expect(dialog.root).toHaveCount(0);
  await page.reload();
  await dialog.open(TITLE);
  await expect(dialog.root.getByText("已恢复上次没有保存的选择")).toBeVisible();
  await expect(dialog.item("装订方式", "铁圈装")).toBeChecked();
  await expect(dialog.quantity).toHaveValue("9");
  await dialog.root.getByRole("button", { name: "恢复原样" }).click();
  await expect(dialog.item("装订方式", "普通精装")).toBeChecked();
  await expect(dialog.quantity).toHaveValue("1");
  await page.keyboard.press("Escape");
  await dialog.open(TITLE);
  await expect(dialog.root.getByText("已恢复上次没有保存的选择")).toHaveCount(0);
});

test("of two tabs the second save wins, whole", async ({ page, context }) => {
  const other = await context.newPage();
  await new CartPage(other).open();
  const [one, two] = [new OptionsDialog(page), new OptionsDialog(other)];
  await one.open(TITLE);
  await two.open(TITLE);
  await one.choose("装订方式", "铁圈装");
  await one.quantity.fill("2");
  await one.remark.fill("第一个");
  await two.quantity.fill("30");
  await two.remark.fill("第二个");
  await one.next.click();
  await expect(one.root).toHaveCount(0);
  await two.next.click();
  await expect(two.root).toHaveCount(0);
  await page.reload();
  await expect(new CartPage(page).line(TITLE)).toContainText("普通精装");
  await expect(new CartPage(page).quantity(TITLE)).toHaveValue("30");
  await one.open(TITLE);
  await expect(one.item("装订方式", "普通精装")).toBeChecked();
  await expect(one.remark).toHaveValue("第二个");
});

test("the keyboard is enough", async ({ page }) => {
  const dialog = new OptionsDialog(page);
  await dialog.link(TITLE).focus();
  await page.keyboard.press("Enter");
  await dialog.priceAgain.waitFor({ state: "detached" });
  const inside = () => page.evaluate(() => !!document.activeElement?.closest("dialog"));
  const soft = dialog.item("装订方式", "铁圈装");
  for (let steps = 0; steps < 40 && !(await dialog.item("装订方式", "普通精装").evaluate((radio) => radio === document.activeElement)); steps += 1) {
    await page.keyboard.press("Tab");
  }
  const order = await dialog.step("装订方式").getByRole("radio").evaluateAll((radios) => radios.filter((radio) => !(radio as HTMLInputElement).disabled).map((radio) => radio.parentElement?.innerText ?? ""));
  await page.keyboard.press(order.indexOf("铁圈装") < order.indexOf("普通精装") ? "ArrowUp" : "ArrowDown");
  expect(await dialog.step("装订方式").getByRole("radio", { checked: true }).evaluate((radio) => radio === document.activeElement)).toBe(true);
  await expect(dialog.item("装订方式", "普通精装")).not.toBeChecked();
  await soft.focus();
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press("Tab");
    // between the last and the first the focus may be the browser's own
    expect(await inside() || (await page.evaluate(() => document.activeElement === document.body))).toBe(true);
  }
  await page.keyboard.press("Escape");
  await expect(dialog.root).toHaveCount(0);
  await expect(dialog.link(TITLE)).toBeFocused();
});

for (const scheme of ["light", "dark"] as const) {
  test(`the dialog has no fault that axe knows (${scheme})`, async ({ page }) => {
    const dialog = new OptionsDialog(page);
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 760 });
      await dialog.open(TITLE);
      await dialog.quantity.fill("0");
      await expect.poll(() => faults(page, { part: "dialog" })).toEqual([]);
      const wide = await page.evaluate(() => document.querySelector("dialog")?.getBoundingClientRect().width ?? 0);
      expect(wide).toBe(Math.min(width, 1000));
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await page.keyboard.press("Escape");
    }
  });
}

test("the cart loads little before anybody wants the dialog", async ({ page }) => {
  const scripts = () =>
    page.evaluate(() => performance.getEntriesByType("resource").flatMap(({ name }) => (name.endsWith(".js") ? [name] : [])));
  /** What all scripts so far weigh on the line, in bytes of brotli. */
  async function weight(): Promise<number> {
    let sum = 0;
    for (const url of new Set(await scripts())) {
      const { "content-length": length, "content-encoding": encoding } = (await page.request.get(url, { headers: { "accept-encoding": "br" } })).headers();
      // what a few words are doesn't shrink
      if (Number(length) > 200) expect(encoding, url).toBe("br");
      sum += Number(length);
    }
    return sum;
  }
  await islandScripts(page, (route) => route.continue());
  expect(await weight()).toBeLessThanOrEqual(6.25 * 1024);
  const dialog = new OptionsDialog(page);
  await dialog.link(TITLE).hover();
  // nothing more has come while all of it was weighed
  await expect(async () => {
    const before = await scripts();
    expect(await weight(), "pointing at it is enough").toBeGreaterThan(60 * 1024);
    expect(await scripts()).toEqual(before);
  }).toPass();
  const ready = await scripts();
  await dialog.open(TITLE);
  expect(await scripts()).toEqual(ready);
  expect(await weight()).toBeLessThanOrEqual(80 * 1024);
});
