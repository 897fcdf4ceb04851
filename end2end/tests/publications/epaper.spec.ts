// A reader goes through a newspaper: its newest issue, a page with its areas, an article, the calendar of past issues. A maker
// makes a magazine of its own and publishes an issue.
import { blank } from "../../support/making.js";
import { expect, test } from "../../support/test.js";

test("a newspaper is read by its headlines, its pages and its calendar", { tag: ["@no-js", "@old-phone"] }, async ({ page }) => {
  await page.goto("/epaper/longjing");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("龙井晚报");
  const headlines = page.getByRole("region", { name: "今日要目" }).getByRole("listitem");
  await expect(headlines).toHaveCount(16);
  const title = (await headlines.first().locator("strong").textContent()) ?? "";
  await headlines.first().getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await expect(page.locator(".story p").first()).toBeVisible();
  // the name of its page leads to all pages of that name
  await page.locator(".byline").getByRole("link", { name: "要闻" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("要闻");
  await page.getByRole("link", { name: title }).first().click();
  await page.locator(".byline").getByRole("link", { name: "01版" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("01版 要闻");
  // the areas on the page are links to the same articles
  await expect(page.locator("figure svg a")).toHaveCount(4);
  await page.locator("figure svg a").nth(1).click({ position: { x: 5, y: 5 } });
  await expect(page).toHaveURL(/\/a\/2$/);
  await page.goBack();
  await page.getByRole("link", { name: "下一版" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("02版 本地");
  await page.getByRole("link", { name: /^上一期/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("01版 要闻");
  await page.getByRole("link", { name: "上个月" }).click();
  await page.getByRole("region", { name: "往期" }).locator("tbody a").last().click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("01版 要闻");
});

test("a member makes a magazine of a work, and readers find it", async ({ page, signedIn: member }) => {
  await blank(page, "第一本");
  await page.goto("/manager/magazine");
  await page.getByRole("link", { name: "新建刊物" }).first().click();
  const address = `m-${member.account.replace(/[^a-z0-9]/g, "").slice(0, 24)}`;
  await page.getByLabel("名称", { exact: true }).fill("我们的刊物");
  await page.getByLabel("主办").fill("三年级二班");
  await page.getByLabel(/^短地址/).fill("A B");
  await page.getByRole("button", { name: "保存" }).click();
  await expect(page.getByText("短地址要 2 到 30 个小写字母").first()).toBeVisible();
  await expect(page.getByLabel("主办"), "what was typed is still there").toHaveValue("三年级二班");
  await page.getByLabel(/^短地址/).fill(address);
  await page.getByRole("button", { name: "保存" }).click();
  await page.getByRole("link", { name: "出第一期" }).click();
  await page.getByLabel("或者用自己的一件作品").selectOption({ label: "第一本" });
  await page.getByRole("button", { name: "建好草稿" }).click();
  await expect(page.getByRole("status")).toContainText("草稿建好了");
  await page.getByRole("button", { name: "现在发布" }).click();
  await expect(page.getByRole("status")).toContainText("已经发布");
  await page.context().clearCookies();
  await page.goto(`/magazine/${address}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("我们的刊物");
  await page.getByRole("link", { name: "打开这一期" }).click();
  await page.getByRole("link", { name: "从头阅读" }).click();
  await expect(page.getByRole("img", { name: /版面图|第 1 页/ })).toBeVisible();
});
