// The public pages, as somebody sees them who has no account.
import { allPicturesLoad, sideways } from "../../support/pictures.js";
import { expect, test } from "../../support/test.js";
import { ABOUT } from "../../support/tour.js";

test("navigation and footer lead from page to page, and to the door", { tag: "@no-js" }, async ({ page }) => {
  await page.goto("/about");
  await expect(page.getByRole("heading", { level: 1, name: "把照片做成一本书" })).toBeVisible();
  const links = page.getByRole("navigation", { name: "主要栏目" });
  for (const [name, path] of [
    ["产品与装订", "/about/products"],
    ["价格", "/about/prices"],
    ["准备照片", "/about/photos"],
    ["常见问题", "/about/faq"],
  ] as const) {
    await links.getByRole("link", { name, exact: true }).click();
    await expect(page).toHaveURL(path);
    await expect(links.getByRole("link", { name, exact: true })).toHaveAttribute("aria-current", "page");
  }
  const foot = page.getByRole("contentinfo").getByRole("navigation", { name: "关于书坊" });
  await expect(foot.getByRole("link")).toHaveCount(ABOUT.length);
  await foot.getByRole("link", { name: "隐私" }).click();
  await expect(page).toHaveURL("/about/privacy");
  await page.getByRole("navigation", { name: "位置" }).getByRole("link", { name: "书坊" }).click();
  await expect(page).toHaveURL("/about");
  await page.getByRole("banner").getByRole("link", { name: "登录" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "登录书坊" })).toBeVisible();
  await page.getByRole("link", { name: "准备照片" }).click();
  await expect(page).toHaveURL("/about/photos");
});

test("who wants a book comes to the door, and then to the making desk", async ({ page, member }) => {
  await page.goto("/about");
  await page.getByRole("main").getByRole("link", { name: "开始做书" }).first().click();
  await page.getByLabel("账号").fill(member.account);
  await page.getByLabel("密码").fill(member.password);
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await expect(page).toHaveURL("/manager/make_ebook");
});

for (const { path } of ABOUT) {
  test(`${path} fits 360 px, and its pictures arrive`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(path);
    await expect.poll(() => sideways(page)).toEqual([]);
    await allPicturesLoad(page.getByRole("main"));
    // what is folded away must fit, too
    for (const fold of await page.getByRole("main").locator("details > summary").all()) await fold.click();
    await expect.poll(() => sideways(page)).toEqual([]);
  });
}

test("a page that the browser kept still has its script and its styles", async ({ page }) => {
  await page.goto("/about");
  await page.goto("/about/prices");
  // from the browser's memory: another answer's policy must not shut out what this one brings
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "把照片做成一本书" })).toBeVisible();
  await page.goto("/about/prices");
  await expect(page.getByRole("table").first()).toBeVisible();
});

test("an address that leads nowhere says so, and leads back", async ({ page }) => {
  const answer = await page.goto("/about/nowhere");
  expect(answer?.status()).toBe(404);
  await page.getByRole("main").getByRole("link", { name: "关于书坊" }).click();
  await expect(page).toHaveURL("/about");
});
