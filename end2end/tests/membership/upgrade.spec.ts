// A tier is bought and raised; somebody is invited and works at the house's desk.
import { Shell } from "../../pages/Shell.js";
import { UpgradePage } from "../../pages/UpgradePage.js";
import { addMember } from "../../support/members.js";
import { expect, signIn, test } from "../../support/test.js";

test.use({ balance: "700" });

test("a tier is bought, and a higher one costs less by what was not used", { tag: "@no-js" }, async ({ page, signedIn: _ }) => {
  // what is closed leads to where it is opened
  await page.goto("/manager/myMember");
  await page.getByRole("link", { name: "会员升级" }).click();
  const upgrade = new UpgradePage(page);
  await upgrade.choose("VIP", 12);
  await expect(upgrade.due).toContainText("168.00");
  await upgrade.pay();
  await expect(upgrade.receipt).toContainText("会员已开通");
  await expect(new Shell(page).money).toHaveText("¥532.00");
  await upgrade.open();
  await expect(upgrade.tier("VIP")).toContainText("您现在的等级");
  await upgrade.choose("超级会员", 12);
  await expect(page.getByText("天没有开始")).toBeVisible();
  await upgrade.pay();
  await expect(upgrade.receipt).toContainText("会员已开通");
  await upgrade.open();
  await expect(upgrade.tier("VIP")).toContainText("请在它到期以后再买");
});

test("who is invited works at the house's desk, and ends it with one button", async ({ page, browser, signedIn: _ }) => {
  const upgrade = new UpgradePage(page);
  await upgrade.open();
  await upgrade.choose("VIP", 1);
  await upgrade.pay();
  await expect(upgrade.receipt).toContainText("会员已开通");
  await page.goto("/manager/myMember");
  await page.getByLabel("称呼").fill("周小舟");
  await page.getByRole("button", { name: "生成邀请" }).click();
  const link = new URL(await page.locator(".invite-link").innerText());
  const helper = await addMember(process.env.END2END_DATA ?? "", "0");
  const context = await browser.newContext({ baseURL: link.origin });
  const other = await context.newPage();
  await signIn(other, helper);
  await other.goto(link.pathname);
  await other.getByRole("button", { name: "接受邀请" }).click();
  await other.getByRole("button", { name: "开始工作" }).click();
  await expect(other.getByRole("status")).toContainText("正在为");
  await expect(other.getByRole("link", { name: "购物车" })).toHaveCount(0);
  await other.getByRole("button", { name: "结束" }).click();
  await expect(new Shell(other).heading).toHaveText("工作台");
  await context.close();
  await page.goto("/manager/myMember");
  await page.getByRole("link", { name: "周小舟" }).click();
  await page.getByLabel("金额").fill("20");
  await page.getByRole("button", { name: "转给成员" }).click();
  await expect(page.getByRole("main").getByRole("status")).toContainText("额度已更新");
});
