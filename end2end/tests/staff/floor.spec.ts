// A day in the shop: orders go from their payment to their parcels, most of them by scanning; one is held up, one is printed
// again, one is given back. `END2END_ORDERS=20` makes it a whole day.
import { faults } from "../../support/axe.js";
import { signInClerk } from "../../support/clerk.js";
import { paidOrder } from "../../support/making.js";
import { sideways } from "../../support/pictures.js";
import { run, runLater } from "../../support/server.js";
import { expect, test } from "../../support/test.js";

const ORDERS = Math.max(3, Number(process.env["END2END_ORDERS"] ?? 3));
/** One page's fault hides no other's. */
const softly = expect.configure({ soft: true });
const STATIONS = ["印前", "印刷", "覆膜", "装订", "质检", "打包"];

test.use({ balance: "9000" });

const data = () => process.env["END2END_DATA"] ?? "";

test("orders go from payment to parcel", async ({ page, signedIn: _, browser, baseURL }) => {
  test.setTimeout(60_000 + ORDERS * 20_000);
  const numbers: string[] = [];
  for (let index = 1; index <= ORDERS; index += 1) {
    const number = (await paidOrder(page, `第 ${index} 本`)).split("/").pop() ?? "";
    await runLater(data(), "order", "start", number);
    numbers.push(number);
  }
  const [held = "", again = "", given = ""] = numbers;
  const context = await browser.newContext({ baseURL: baseURL ?? "", locale: "zh-CN" });
  const office = await context.newPage();
  const main = office.getByRole("main");
  await signInClerk(office, data(), "印务", "站长");
  let clicks = 0;
  const press = async (name: string) => {
    clicks += 1;
    await main.getByRole("button", { name, exact: true }).click();
  };

  await test.step("what a scanner reads opens the job; it is held up, and let go on", async () => {
    await office.goto("/staff/scan");
    await main.getByLabel("工单上的码，或者订单号").fill(held);
    await office.keyboard.press("Enter");
    await expect(office).toHaveURL(`/staff/floor/${held}/1`);
    await expect(main.getByRole("button", { name: "印前完成" })).toBeVisible();
    await main.getByText("暂停", { exact: true }).click();
    await main.getByLabel("为什么（会员看不到）").fill("等纸到货");
    await press("暂停，不再往下做");
    await expect(main.getByRole("button", { name: "印前完成" })).toHaveCount(0);
    await press("放行");
    await expect(main.getByRole("button", { name: "印前完成" })).toBeVisible();
  });

  await test.step("at each station every ticket is scanned once", async () => {
    for (const station of STATIONS) {
      await office.goto("/staff/scan");
      clicks += 1;
      await main.getByRole("link", { name: `${station}完成` }).click();
      for (const number of numbers) {
        // a scanner types, and presses Enter by itself: the field is where it types
        await expect(main.getByLabel("工单上的码，或者订单号")).toBeFocused();
        await main.getByLabel("工单上的码，或者订单号").fill(number);
        await office.keyboard.press("Enter");
        await expect(main.getByRole("status")).toContainText("交给");
      }
    }
    await office.goto("/staff/floor?view=shipping");
    await expect(main.getByRole("listitem").filter({ hasText: "第 2 本" })).toContainText("发货");
  });

  await test.step("tickets and files of what is being made are fetched together", async () => {
    await office.goto(`/staff/orders?view=making&q=${held}`);
    await main.getByRole("checkbox", { name: `选择订单 ${held}` }).check();
    for (const [button, file] of [["工单", /^tickets-.*\.pdf$/], ["全部文件", /^orders-.*\.zip$/]] as const) {
      const [download] = await Promise.all([office.waitForEvent("download"), press(button)]);
      expect(download.suggestedFilename()).toMatch(file);
    }
  });

  await test.step("parcels of all are noted at once, but of one that is given back", async () => {
    await run(data(), "order", "refund", given, "--reason", "会员不要了");
    const sent = numbers.filter((number) => number !== given);
    await office.goto("/staff/parcels");
    await main.getByLabel("每行一个包裹：订单号、承运人、运单号").fill(sent.map((number, index) => `${number} 顺丰 SF${String(index).padStart(13, "0")}`).join("\n"));
    await press("记下并通知会员");
    await expect(main.getByRole("status")).toContainText("已办好");
    await office.goto(`/staff/floor/${given}/1`);
    await expect(main).toContainText("订单已取消或退款，不用再做");
  });

  await test.step("one comes back and is printed again", async () => {
    await run(data(), "order", "reprint", again, "--reason", "运输中压坏");
    await office.goto("/staff/floor?view=waiting");
    await expect(main.getByRole("listitem").filter({ hasText: "第 2 本" })).toBeVisible();
    await office.goto(`/staff/floor/${again}/1`);
    await expect(main.getByRole("link", { name: "到订单里开印" })).toBeVisible();
    await expect(main).toContainText("寄出");
  });

  await test.step("what a day holds is written down, and shows what is taken", async () => {
    await office.goto("/staff/floor/plan");
    await main.getByLabel("装订，每天（本）").fill("100000");
    await press("记下");
    await expect(main.getByRole("status")).toContainText("已办好");
    await expect(main.getByRole("table")).toContainText("/ 100000");
  });

  await test.step("pages are whole", async () => {
    for (const path of ["/floor", "/scan", "/scan?at=binding", "/floor/plan", "/hot-folder", `/floor/${held}`, `/floor/${held}/1`, `/floor/${again}/1`]) {
      await office.goto(`/staff${path}`);
      await expect(office.getByRole("heading", { level: 1 })).toHaveCount(1);
      for (const width of [1280, 360]) {
        await office.setViewportSize({ width, height: 800 });
        await softly.poll(() => sideways(office), path).toEqual([]);
        await softly.poll(() => faults(office), path).toEqual([]);
      }
    }
  });
  test.info().annotations.push({ type: "clicks", description: `${clicks} for ${ORDERS} orders` });
  await context.close();
});
