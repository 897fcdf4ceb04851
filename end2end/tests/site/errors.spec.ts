import { album } from "../../support/making.js";
import { addMember } from "../../support/members.js";
import { middle } from "../../support/still.js";
import { expect, signIn, test } from "../../support/test.js";

test("an address that leads nowhere says so, and shows a way on", async ({ page, signedIn: _ }) => {
  const answer = await page.goto("/manager/nowhere");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1, name: "没有找到这一页" })).toBeVisible();
  expect(Math.abs((await middle(page.getByRole("main"))).x - 640), "it stands in the middle of the window").toBeLessThan(20);
  await page.getByRole("link", { name: "我的作品" }).click();
  await expect(page).toHaveURL("/manager/opus_list/all");
});

test("somebody else's work looks as if there were none", async ({ page, browser, baseURL, signedIn: _ }) => {
  await page.goto(await album(page, "只给我看", 2));
  const address = page.url();
  const context = await browser.newContext(baseURL ? { baseURL } : {});
  const stranger = await context.newPage();
  await signIn(stranger, await addMember(process.env.END2END_DATA ?? ""));
  for (const path of [address, address.replace("/opus/", "/add_shopping/")]) {
    const answer = await stranger.goto(path);
    expect(answer?.status()).toBe(404);
    await expect(stranger.getByRole("heading", { level: 1, name: "没有找到这一页" })).toBeVisible();
  }
  await context.close();
});

test("a form that another site sends is refused with a page that explains it", async ({ page, context, baseURL, signedIn: _ }) => {
  // a page of another origin, with a form that posts to ours
  await context.route("http://elsewhere.example/**", (route) =>
    route.fulfill({
      contentType: "text/html; charset=utf-8",
      body: `<!DOCTYPE html><html lang="zh"><title>别处</title><form method="post" action="${new URL("/manager/logout", baseURL).href}"><button>点我</button></form></html>`,
    }),
  );
  await page.goto("http://elsewhere.example/");
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith("/manager/logout")),
    page.getByRole("button", { name: "点我" }).click(),
  ]);
  expect(answer.status()).toBe(403);
  await expect(page.getByText("请求来自其他网站，已被拒绝。")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.goto("/manager/order");
  await expect(page, "still signed in").toHaveURL("/manager/order");
});

test("the error page is found", async ({ page }) => {
  const answer = await page.goto("/error");
  expect(answer?.status()).toBe(200);
  await expect(page.getByRole("heading", { level: 1, name: "请求失败，请重试" })).toBeVisible();
});
