import { WorkPage } from "../../pages/WorkPage.js";
import { album } from "../../support/making.js";
import { allPicturesLoad } from "../../support/pictures.js";
import { expect, test } from "../../support/test.js";

test("versions are looked at, compared and restored", async ({ page, signedIn: _ }) => {
  await page.goto(await album(page, "第一个书名", 6));
  const work = new WorkPage(page);
  await work.title.fill("第二个书名");
  await work.captions.first().fill("那天的风很大。");
  await work.save.click();
  await expect(work.said).toContainText("已保存");
  await work.more();
  await page.getByRole("link", { name: "所有版本" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "第 2 版" })).toContainText("最新");
  await page.getByRole("link", { name: /^与最新比较/ }).click();
  const main = page.getByRole("main");
  await expect(main).toContainText("第一个书名 → 第二个书名");
  await expect(main.getByText("那天的风很大。")).toBeVisible();
  await allPicturesLoad(main);
  await page.getByRole("link", { name: "第 1 版", exact: true }).click();
  await expect(main).toContainText("《第一个书名》");
  await allPicturesLoad(main);
  await page.getByRole("button", { name: "还原成这一版" }).click();
  await expect(work.said).toContainText("已还原");
  await expect(work.heading).toHaveText("第一个书名");
  await expect(page.getByRole("link", { name: "第 3 版" })).toBeVisible();
});

test("a refused save is a version of its own, and can be taken or forgotten", { tag: "@no-js" }, async ({ page, context, signedIn: _ }) => {
  await page.goto(await album(page, "两个窗口", 2));
  const address = page.url();
  const other = await context.newPage();
  const [mine, theirs] = [new WorkPage(page), new WorkPage(other)];
  for (const late of ["我的书名", "我的另一个书名"]) {
    await page.goto(address);
    await other.goto(address);
    await theirs.title.fill(`先保存的书名，在${late}之前`);
    await theirs.save.click();
    await expect(theirs.said).toContainText("已保存");
    await mine.title.fill(late);
    await mine.save.click();
    await expect(mine.complaint).toContainText("已另存为一个版本");
    await expect(mine.title).toHaveValue(late);
  }
  await page.getByRole("link", { name: "另存的版本 1", exact: true }).click();
  await expect(page.getByRole("main")).toContainText("《我的书名》");
  // taken, the version is gone, and its pictures with it
  await allPicturesLoad(page.getByRole("main"));
  await page.getByRole("button", { name: "用这个版本" }).click();
  await expect(mine.heading).toHaveText("我的书名");
  await page.getByRole("link", { name: "另存的版本 2", exact: true }).click();
  await allPicturesLoad(page.getByRole("main"));
  await page.getByText("不要了").click();
  await page.getByRole("button", { name: "删除这个版本" }).click();
  await expect(page.getByRole("heading", { name: "还没有并进来的改动" })).toHaveCount(0);
});

test("a work changes its page size late, and goes back in one step", async ({ page, signedIn: _ }) => {
  await page.goto(await album(page, "海边的夏天", 6));
  const work = new WorkPage(page);
  const main = page.getByRole("main");
  const pages = await work.pages.count();
  await work.more();
  await page.getByRole("link", { name: "换开本" }).click();
  await page.getByRole("link", { name: /^A5 小画册/ }).click();
  await expect(main).toContainText("148 × 210 mm");
  await expect(main).toContainText("页数");
  await page.getByRole("button", { name: "换成A5 小画册" }).click();
  await expect(work.said).toContainText("开本已换成 148 × 210 mm");
  await expect(work.pages).toHaveCount(pages);
  await allPicturesLoad(main);
  await page.getByRole("link", { name: "看看变了什么" }).click();
  await expect(main).toContainText("210 × 210 mm → 148 × 210 mm");
  await page.goBack();
  await page.getByRole("button", { name: "撤销换开本" }).click();
  await expect(work.said).toContainText("已还原");
  await expect(main.getByRole("paragraph").filter({ hasText: "210 × 210 mm" })).toBeVisible();
});
