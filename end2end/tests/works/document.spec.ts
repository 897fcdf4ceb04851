import { DocumentPage } from "../../pages/DocumentPage.js";
import { WorkPage } from "../../pages/WorkPage.js";
import { pdf } from "../../support/pdf.js";
import { allPicturesLoad } from "../../support/pictures.js";
import { expect, test } from "../../support/test.js";

test("a PDF that was refused once becomes a book, and so does a text", { tag: "@no-js" }, async ({ page, signedIn: _ }) => {
  const desk = new DocumentPage(page);
  await desk.open();
  await desk.title.fill("年度报告");
  // 300 mm squares are no page size that is printed: the form says so, and keeps the file and what was typed
  await desk.choosePdf("报告.pdf", pdf(5, 850, 850));
  await desk.button.click();
  await expect(desk.complaint).toContainText("不是可以印的开本");
  await expect(desk.title).toHaveValue("年度报告");
  await expect(page.getByText("已收到 报告.pdf")).toBeVisible();
  await desk.choose("开本", "A5 148");
  await desk.button.click();
  await page.waitForURL(/\/manager\/opus\/[^/]+$/);
  const work = new WorkPage(page);
  await expect(work.heading).toHaveText("年度报告");
  await expect(work.pages).toHaveCount(10);
  expect(await allPicturesLoad(page.getByRole("main"))).toBe(11);
  await expect(page.getByText("的第 1–5 页来自另一种大小或形状的 PDF 页面")).toBeVisible();

  await desk.open();
  await desk.paste.click();
  await desk.text.fill("# 山中笔记\n\n## 进山\n\n走了很久。\n\n## 下山\n\n又走了很久。");
  await desk.choose("写法", "Markdown");
  await desk.choose("风格", "雅宋");
  await desk.button.click();
  await page.waitForURL(/\/manager\/opus\/[^/]+$/);
  await expect(work.heading).toHaveText("山中笔记");
  await expect(page.getByText("粘贴的文字")).toBeVisible();
});
