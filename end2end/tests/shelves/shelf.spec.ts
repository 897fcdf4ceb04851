// A shelf is made, filled and put in order by buttons; readers find it, also by its old name.
import { randomUUID } from "node:crypto";
import { BookShelfPage } from "../../pages/BookShelfPage.js";
import { sharedWork } from "../../support/making.js";
import { expect, test } from "../../support/test.js";

test("a member arranges a shelf, and readers find it by either name", { tag: "@no-js" }, async ({ page, signedIn: _ }) => {
  for (const title of ["春日", "秋日"]) await sharedWork(page, title);
  const shelf = new BookShelfPage(page);
  await shelf.begin();
  await shelf.title.fill("四季书屋");
  await shelf.name.fill("login");
  await shelf.save.click();
  await expect(shelf.wrong).toContainText("是网站自己用的名字");
  await expect(shelf.title, "what was typed is still there").toHaveValue("四季书屋");
  const [first, second] = [`siji-${randomUUID().slice(0, 8)}`, `四季-${randomUUID().slice(0, 8)}`];
  await shelf.name.fill(first);
  await shelf.save.click();
  await expect(shelf.said).toContainText("书架已做好");
  await shelf.add("春日", "秋日");
  await expect(shelf.items).toHaveCount(2);
  const before = (await shelf.items.first().locator("strong").textContent()) ?? "";
  await shelf.button("后移", before).click();
  await expect(shelf.items.last().locator("strong")).toHaveText(before);
  await shelf.name.fill(second);
  await shelf.save.click();
  await expect(shelf.said).toContainText("书架已保存");

  await page.context().clearCookies();
  await page.goto(`/shelf/${first}`);
  await expect(page).toHaveURL(`/shelf/${encodeURIComponent(second)}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("四季书屋");
  const books = page.getByRole("main").getByRole("listitem");
  await expect(books).toHaveCount(2);
  await expect(books.last()).toContainText(before);
  await books.first().getByRole("link").click();
  await expect(page).toHaveURL(/\/read\//);
});
