// An order leaves in two parcels, one of its books is printed once more, and the shop says what sending costs.
import { faults } from "../../support/axe.js";
import { signInClerk } from "../../support/clerk.js";
import { bookInCart, order, send } from "../../support/making.js";
import { sideways } from "../../support/pictures.js";
import { runLater } from "../../support/server.js";
import { expect, test } from "../../support/test.js";

/** One page's fault hides no other's. */
const softly = expect.configure({ soft: true });

test.use({ balance: "9000" });

const data = () => process.env["END2END_DATA"] ?? "";

test("an order leaves in two parcels", async ({ page, signedIn: _, browser, baseURL }) => {
  // the order's page is long, and looked through twice
  test.setTimeout(300_000);
  const lines = [await bookInCart(page, "海边"), await bookInCart(page, "山里")];
  const number = await order(page, lines.join(","));
  await send(page, "/manager/shopping/pay", { order: number });
  await runLater(data(), "order", "start", number);
  const context = await browser.newContext({ baseURL: baseURL ?? "", locale: "zh-CN", acceptDownloads: true });
  const office = await context.newPage();
  const main = office.getByRole("main");
  await signInClerk(office, data(), "站长");
  const looked = async () => {
    softly(await faults(office)).toEqual([]);
    await office.setViewportSize({ width: 360, height: 800 });
    softly(await sideways(office)).toEqual([]);
    await office.setViewportSize({ width: 1280, height: 900 });
  };

  await test.step("one book goes first; a number that is not the carrier's is asked about", async () => {
    await office.goto(`/staff/orders/${number}`);
    await main.getByLabel("承运人", { exact: true }).fill("顺丰");
    await main.getByLabel("运单号", { exact: true }).fill("YT1");
    await main.getByText("只寄一部分").click();
    await main.getByLabel("《海边》，共 1 本").fill("1");
    await main.getByRole("button", { name: "已发货，通知会员" }).click();
    await expect(main.getByRole("alert")).toContainText("YT1 不像顺丰的运单号");
    await main.getByLabel("运单号", { exact: true }).fill("SF1234567890001");
    await main.getByRole("button", { name: "已发货，通知会员" }).click();
    await expect(main.getByRole("heading", { name: "包裹", exact: true })).toBeVisible();
    await expect(main.getByText("第 1 个包裹", { exact: true })).toBeVisible();
    await looked();
  });

  await test.step("its member sees what is there and what follows", async () => {
    await page.goto(`/manager/order/${number}`);
    await expect(page.getByText("还没有寄：《山里》1 本。")).toBeVisible();
    await expect(page.getByText("SF1234567890001", { exact: true })).toBeVisible();
  });

  await test.step("the label is a PDF", async () => {
    const download = office.waitForEvent("download");
    await main.getByRole("link", { name: "面单 A6" }).first().click();
    expect((await download).suggestedFilename()).toMatch(/^labels-a6-.*\.pdf$/u);
  });

  await test.step("the rest follows, and one of them is printed once more", async () => {
    // those of the first parcel stand before, folded
    await main.getByLabel("承运人", { exact: true }).last().fill("顺丰");
    await main.getByLabel("运单号", { exact: true }).last().fill("SF1234567890002");
    await main.getByRole("button", { name: "已发货，通知会员" }).click();
    await expect(main.getByText("第 2 个包裹", { exact: true })).toBeVisible();
    await main.getByText("重印", { exact: true }).click();
    await main.getByLabel("原因", { exact: true }).selectOption("运输破损");
    await main.getByLabel("说明（会员会看到）").fill("书角压坏");
    await main.getByLabel("《山里》，共 1 本").fill("1");
    await looked();
    await main.getByRole("button", { name: "安排重印" }).click();
    await expect(main.getByText("书角压坏（《山里》1 本）")).toBeVisible();
    await office.goto("/staff/reprints");
    await expect(main.getByRole("cell", { name: "书角压坏" })).toBeVisible();
    await looked();
  });

  await test.step("what sending costs is the shop's to say", async () => {
    await office.goto("/staff/shipping");
    await looked();
    await main.getByLabel("首重 1 公斤（元），第 1 行").fill("八元");
    await main.getByRole("button", { name: "记下" }).click();
    await expect(main.getByRole("alert")).toContainText("请写多少元");
    await expect(main.getByLabel("首重 1 公斤（元），第 1 行")).toHaveValue("八元");
  });

  await test.step("a list is had as a file", async () => {
    await office.goto(`/staff/orders?q=${number}`);
    await main.getByRole("button", { name: "Excel" }).click();
    await expect(office).toHaveURL("/staff/exports?said=done");
    await expect(async () => {
      await office.reload();
      await expect(main.getByRole("link", { name: "下载" }).first()).toBeVisible({ timeout: 500 });
    }).toPass();
    await looked();
    const download = office.waitForEvent("download");
    await main.getByRole("link", { name: "下载" }).first().click();
    expect((await download).suggestedFilename()).toMatch(/^订单 .*\.xlsx$/u);
  });
  await context.close();
});
