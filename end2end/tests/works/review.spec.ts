import { faults } from "../../support/axe.js";
import { album, idOf, send } from "../../support/making.js";
import { allPicturesLoad, sideways } from "../../support/pictures.js";
import { expect, test } from "../../support/test.js";

test("a teacher looks at a book on a phone, presses what is wrong, and allows it to be printed @no-js", async ({ page, signedIn: _, browser, baseURL, javaScriptEnabled }) => {
  const work = await album(page, "毕业纪念册", 4);
  await page.goto(`${work}`);
  await page.getByRole("link", { name: "请人看样" }).click();
  await page.getByLabel("给谁看").fill("林老师");
  await page.getByLabel("对看样的人说").fill("请看名字有没有写错");
  await page.getByRole("button", { name: "准备链接" }).click();
  await expect(page.getByRole("status")).toContainText("把下面的链接发给看样的人");
  const link = await page.getByLabel("林老师的链接").inputValue();

  // without an account, on a small phone
  const context = await browser.newContext({ baseURL: baseURL ?? "", viewport: { width: 360, height: 740 }, hasTouch: true, javaScriptEnabled: javaScriptEnabled ?? true });
  const phone = await context.newPage();
  await phone.goto(link);
  await expect(phone.getByRole("heading", { level: 1 })).toHaveText("毕业纪念册");
  await expect(phone.getByText("请看名字有没有写错")).toBeVisible();
  await phone.getByRole("link", { name: "从封面看起" }).click();
  await phone.getByRole("link", { name: "下一页" }).click();
  await phone.getByRole("link", { name: "下一页" }).click();

  // a press at a quarter from the left, three quarters down
  const picture = phone.getByRole("img", { name: "《毕业纪念册》第 2 页" });
  const box = await picture.boundingBox();
  if (!box) throw new Error("no picture");
  await phone.touchscreen.tap(box.x + box.width / 4, box.y + (box.height * 3) / 4);
  await expect(phone.locator("#write")).toContainText("左下");
  await phone.locator("#words").fill("这张照片里少了一个人");
  await phone.getByRole("button", { name: "记下这条意见" }).click();
  await expect(phone.getByText("这张照片里少了一个人")).toBeVisible();
  const mark = await phone.locator(".marks circle").boundingBox();
  const again = await picture.boundingBox();
  if (!mark || !again) throw new Error("no mark");
  expect(Math.abs(mark.x + mark.width / 2 - again.x - again.width / 4)).toBeLessThan(4);
  expect(Math.abs(mark.y + mark.height / 2 - again.y - (again.height * 3) / 4)).toBeLessThan(4);

  await phone.getByRole("link", { name: "《毕业纪念册》" }).click();
  await phone.getByRole("button", { name: "可以印" }).click();
  await expect(phone.getByRole("status")).toContainText("已经告诉作者");
  await context.close();

  // the maker finds the place
  await page.goto(`/manager/opus/${idOf(work)}/reviews`);
  await expect(page.getByText("这张照片里少了一个人")).toBeVisible();
  await expect(page.getByText("第 1 稿可以印")).toBeVisible();
  await expect(page.getByRole("link", { name: "改第 2 页" })).toHaveAttribute("href", /page=2$/);
  await page.getByRole("button", { name: "改好了" }).click();
  await expect(page.getByRole("button", { name: "还没改好" })).toBeVisible();
});

test("what changed stands side by side, and two pages face each other on a desk", async ({ page, signedIn: _ }) => {
  const work = await album(page, "改过的书", 4);
  const desk = `/manager/opus/${idOf(work)}/reviews`;
  const until = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  await send(page, desk, { revision: "1", names: "阿姨", until, words: "" });
  await send(page, `${work}/pages`, { revision: "1", add: "2" });
  await send(page, desk, { revision: "2", until, words: "" });
  await page.goto(`${desk}/changes/2`);
  await expect(page.getByText("新的一页。").first()).toBeVisible();
  await expect(page.getByText("没有变，不在这里列出")).toBeVisible();
  await allPicturesLoad(page.getByRole("main"));
  await page.goto(desk);
  const link = await page.getByLabel("阿姨的链接").inputValue();
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await sideways(page)).toEqual([]);
    expect(await faults(page)).toEqual([]);
  }
  await page.context().clearCookies();
  await page.goto(`${link}/page/2`);
  const [left, right] = [await page.getByRole("img", { name: "第 2 页" }).boundingBox(), await page.getByRole("img", { name: "第 3 页" }).boundingBox()];
  expect(left && right && Math.abs(left.y - right.y) < 2 && right.x >= left.x + left.width - 2).toBe(true);
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await sideways(page)).toEqual([]);
    expect(await faults(page)).toEqual([]);
  }
});
