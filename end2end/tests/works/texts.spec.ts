import { WorkPage } from "../../pages/WorkPage.js";
import { album } from "../../support/making.js";
import { allPicturesLoad } from "../../support/pictures.js";
import { expect, test } from "../../support/test.js";

test("a changed title and caption are on the pages", async ({ page, signedIn: _ }) => {
  await page.goto(await album(page, "海边的夏天", 6));
  const work = new WorkPage(page);
  const before = await work.pages.first().getAttribute("src");
  await work.title.fill("海边的秋天");
  const caption = work.captions.first();
  const label = await caption.evaluate((field: HTMLTextAreaElement) => field.labels[0]?.textContent ?? "");
  await caption.fill("那天的风很大，<b>我们</b> & 海鸥都不肯走。");
  await work.save.click();
  await expect(work.said).toContainText("已保存");
  await expect(work.heading).toHaveText("海边的秋天");
  await expect(page.getByLabel(label, { exact: true })).toHaveValue("那天的风很大，<b>我们</b> & 海鸥都不肯走。");
  await expect(work.pages.first(), "another revision, another picture").not.toHaveAttribute("src", before ?? "");
  await allPicturesLoad(page.getByRole("main"));
  await page.goto("/manager/opus_list/album");
  await expect(page.getByRole("link", { name: "海边的秋天" })).toBeVisible();
});

test("a save against an older revision is refused and loses nothing", async ({ page, context, signedIn: _ }) => {
  await page.goto(await album(page, "两个窗口", 2));
  const other = await context.newPage();
  await other.goto(page.url());
  const mine = new WorkPage(page);
  const theirs = new WorkPage(other);
  await theirs.title.fill("先保存的书名");
  await theirs.save.click();
  await expect(theirs.said).toContainText("已保存");
  await mine.title.fill("后保存的书名");
  await mine.save.click();
  await expect(mine.complaint).toBeVisible();
  await expect(mine.title).toHaveValue("后保存的书名");
  await other.reload();
  await expect(theirs.heading).toHaveText("先保存的书名");
});
