// An archive is taken in one file after the other; what was broken off goes on with the same files.
import { addressOf, made, twenty } from "../../support/papers.js";
import { expect, test } from "../../support/test.js";

const pdf = (name: string) => ({ name, mimeType: "application/pdf", buffer: twenty(name) });

test.use({ breaksRequests: true });

test("an archive goes on where its line broke", async ({ page, signedIn: member }) => {
  await made(page, addressOf(member.account, "v"));
  await page.getByRole("link", { name: "导入以前的" }).click();
  const names = ["2024-01-01.pdf", "2024-01-02.pdf", "2024-01-03.pdf", "无日期.pdf"];
  await page.getByLabel("PDF 文件，可以选多个").setInputFiles(names.map(pdf));
  let sent = 0;
  await page.route("**/archive", async (route) => {
    if (route.request().method() === "POST" && ++sent === 2) await route.abort();
    else await route.continue();
  });
  const begin = page.getByRole("button", { name: "开始建" });
  await begin.click();
  const rows = page.locator("[data-outcomes] > li");
  await expect(rows.last()).toContainText("连接断了");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("2024-01-01 第 1 期，1 页，已经发布");
  await begin.click();
  await expect(rows).toHaveCount(4);
  await expect(rows.first()).toContainText("2024-01-01 已经有一期了，没有再建");
  await expect(rows.nth(2)).toContainText("2024-01-03 第 3 期");
  await expect(rows.last()).toContainText("文件名里要有一个日期");
  // the first time two were sent, the second time three: what is there is not sent again
  expect(sent).toBe(5);
  await rows.nth(1).getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("2024-01-02");
});
