import { readFile } from "node:fs/promises";
import { InvoicePage, InvoicesPage, NewInvoicePage, TitleForm } from "../../pages/InvoicePages.js";
import { paidOrder } from "../../support/making.js";
import { messageTo } from "../../support/outbox.js";
import { pdfFile } from "../../support/pdf.js";
import { run } from "../../support/server.js";
import { expect, test } from "../../support/test.js";

test.use({ balance: "1000" });

const CODE = "91350100M000100Y43";

test("an invoice is asked for, taken back, asked for again, issued and saved", { tag: "@no-js" }, async ({ page, signedIn }) => {
  const data = process.env.END2END_DATA ?? "";
  await page.goto(await paidOrder(page, "要开票的书"));
  await page.getByRole("main").getByRole("link", { name: "发票" }).click();

  const asking = new NewInvoicePage(page);
  await asking.fillCompany("书坊有限公司", "91350100m000 100y44");
  await asking.email.fill("accounts@example.com");
  await asking.submit.click();
  await expect(asking.complaint).toContainText("校验位不对");
  await expect(asking.code).toHaveValue("91350100m000 100y44");
  await expect(asking.code).toHaveAttribute("aria-invalid", "true");
  await expect(asking.name).toHaveValue("书坊有限公司");
  await expect(asking.email).toHaveValue("accounts@example.com");
  await asking.code.fill("91350100m000 100y43");
  await asking.submit.click();

  const invoice = new InvoicePage(page);
  await expect(invoice.said).toContainText("申请已提交");
  await expect(invoice.heading).toHaveText("《要开票的书》的发票");
  await expect(page.getByRole("main")).toContainText(CODE);
  await invoice.cancel();
  await expect(invoice.said).toHaveText("申请已撤销。");
  await expect(invoice.progress).toContainText("已撤销");

  await invoice.again.click();
  await expect(asking.kept("书坊有限公司")).toBeChecked();
  await expect(asking.email).toHaveValue("accounts@example.com");
  await asking.submit.click();
  await expect(invoice.said).toContainText("申请已提交");

  const file = await pdfFile();
  expect(await run(data, "invoice", "list", "--state", "requested")).toContain(invoice.id());
  await run(data, "invoice", "issue", invoice.id(), file.path, "--number", "25332000000123456789");
  expect(await messageTo(signedIn.account)).toContain("发票已开好");
  await page.reload();
  await expect(invoice.progress).toContainText("已开票");
  const saving = page.waitForEvent("download");
  await invoice.download.click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe("发票-25332000000123456789.pdf");
  expect(await readFile(await saved.path())).toEqual(file.bytes);

  const list = new InvoicesPage(page);
  await list.open();
  await expect(list.download).toHaveCount(1);
  await expect(list.ask).toHaveCount(0);
});

test("a refused request says why and can be made again", async ({ page, signedIn: _ }) => {
  await paidOrder(page, "抬头不对的书");
  const list = new InvoicesPage(page);
  await list.open();
  await list.ask.click();
  const asking = new NewInvoicePage(page);
  await asking.name.fill("林知夏");
  await asking.submit.click();
  const invoice = new InvoicePage(page);
  await expect(invoice.said).toContainText("申请已提交");
  await run(process.env.END2END_DATA ?? "", "invoice", "reject", invoice.id(), "--reason", "请用企业抬头");
  await page.reload();
  await expect(page.getByRole("main")).toContainText("没有通过的原因：请用企业抬头");
  await invoice.again.click();
  await expect(asking.submit).toBeVisible();
});

test("titles are kept, changed and removed", async ({ page, signedIn: _ }) => {
  const list = new InvoicesPage(page);
  await list.open();
  await list.titles.click();
  await page.getByRole("link", { name: "新增抬头" }).click();
  const form = new TitleForm(page);
  const save = page.getByRole("button", { name: "保存抬头" });
  await form.fillCompany("书坊有限公司", "123");
  await save.click();
  await expect(form.complaint).toContainText("统一社会信用代码是 18 位，这里有 3 位");
  await form.code.fill(CODE);
  await save.click();
  const card = page.getByRole("main").getByRole("listitem");
  await expect(card).toContainText(CODE);
  await card.getByRole("link", { name: "修改" }).click();
  await expect(form.company).toBeChecked();
  await form.name.fill("书坊印刷有限公司");
  await save.click();
  await expect(card).toContainText("书坊印刷有限公司");
  await card.locator("summary").click();
  await card.getByRole("button", { name: "删除这个抬头" }).click();
  await expect(page.getByRole("status").filter({ hasText: "抬头" })).toContainText("抬头已删除");
  await expect(card).toHaveCount(0);
});
