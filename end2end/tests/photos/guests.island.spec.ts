// A guest sends over a line that is cut again and again: what had arrived stays, the rest arrives, and nothing is there twice.
import { photo } from "../../support/photos.js";
import { expect, test } from "../../support/test.js";

test.use({ viewport: { width: 360, height: 740 } });

test("a guest's line is cut and the rest arrives", async ({ page, signedIn: _, browser, baseURL }) => {
  await page.goto("/manager/guests/new");
  await page.getByLabel("名称").fill("小雨和老王的婚礼");
  await page.getByRole("button", { name: "建好" }).click();
  await expect(page.getByRole("status")).toContainText("建好了");
  const own = page.url().split("?")[0] ?? "";
  const address = (await page.getByRole("link", { name: /\/g\// }).getAttribute("href")) ?? "";

  const context = await browser.newContext({ baseURL: baseURL ?? "", locale: "zh-CN", viewport: { width: 360, height: 740 } });
  const guest = await context.newPage();
  // the second photo does not leave, the third one's answer is lost, the fourth one has both
  const broken: string[] = [];
  const cuts = ["through", "cut", "through", "lost", "through", "cut", "lost", "through"];
  await guest.route("**/g/**", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const cut = cuts.shift() ?? "through";
    if (cut === "through") return route.continue();
    broken.push(cut);
    // it arrives, and nobody hears of that
    if (cut === "lost") await route.fetch({ maxRedirects: 0 });
    return route.abort();
  });
  await guest.goto(new URL(address).pathname);
  await guest.getByLabel("您的名字").fill("表姐");
  const files = ["进场.jpg", "切蛋糕.jpg", "合影.jpg", "散场.jpg"].map((name, index) => photo(name, 640 + index, 480));
  await guest.getByLabel("选照片").setInputFiles(files);
  await guest.getByRole("button", { name: "发送" }).click();
  await expect(guest.getByText("网络断了")).toBeVisible();
  await expect(guest.getByRole("status").first()).toHaveText("收到了 4 张，谢谢。");
  expect(broken).toEqual(["cut", "lost", "cut", "lost"]);
  await context.close();

  await page.goto(own);
  await expect(page.getByRole("heading", { name: "表姐" }), "one guest").toHaveCount(1);
  await page.getByRole("button", { name: "全部收下" }).click();
  await expect(page.getByRole("status"), "each photo once").toContainText("收下 4 张");
});
