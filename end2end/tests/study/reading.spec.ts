// A book is put into the study, a page of it marked, and a note written: all of it is found there again.
import { sharedWork } from "../../support/making.js";
import { expect, test } from "../../support/test.js";

test("what a reader puts, marks and writes is in the study", { tag: ["@no-js", "@old-phone"] }, async ({ page, signedIn: _ }) => {
  const address = await sharedWork(page, "边读边记");
  await page.goto(address);
  await page.getByRole("button", { name: "放入书房" }).click();
  await expect(page.getByRole("button", { name: "移出书房" })).toBeVisible();
  await page.goto(`${address}/3`);
  await page.getByRole("button", { name: "夹书签" }).click();
  await expect(page.getByRole("button", { name: "拿掉书签" })).toBeVisible();
  await page.getByText("记笔记", { exact: true }).click();
  const words = page.getByLabel(/写给自己看的/);
  await words.fill("长".repeat(2001));
  await page.getByRole("button", { name: "保存笔记" }).click();
  await expect(page.getByRole("alert")).toContainText("一条笔记最多 2000 个字");
  await expect(words, "what was typed is still there").toHaveValue(/^长{2001}$/);
  await words.fill("这一页的云真好看。");
  await page.getByRole("button", { name: "保存笔记" }).click();
  await expect(page.getByText("我的笔记（1）")).toBeVisible();

  await page.goto("/manager/book-study");
  const main = page.getByRole("main");
  await expect(main.getByRole("link", { name: /^边读边记/ }).first()).toBeVisible();
  await main.getByRole("link", { name: "笔记与书签", exact: true }).click();
  await expect(main.getByRole("paragraph").filter({ hasText: "这一页的云真好看。" })).toBeVisible();
  await main.getByRole("link", { name: "《边读边记》第 3 页" }).first().click();
  await expect(page).toHaveURL(/\/3$/);
});
