// Somebody is let into the back office by a link, is given another role, and let go.
import { faults } from "../../support/axe.js";
import { Device, signInClerk } from "../../support/clerk.js";
import { sideways } from "../../support/pictures.js";
import { expect, test } from "../../support/test.js";

/** One page's fault hides no other's. */
const softly = expect.configure({ soft: true });

const data = () => process.env["END2END_DATA"] ?? "";

test("a colleague comes in by a link and goes", { tag: "@no-js" }, async ({ page, browser, baseURL, javaScriptEnabled }) => {
  test.slow();
  const main = page.getByRole("main");
  const name = `wu-${Date.now().toString(36)}-${javaScriptEnabled ? "js" : "no"}`;
  const looked = async () => {
    if (!javaScriptEnabled) return;
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await softly.poll(() => sideways(page), `${page.url()} ${width}`).toEqual([]);
      await softly.poll(() => faults(page), `${page.url()} ${width}`).toEqual([]);
    }
  };
  const device = await signInClerk(page, data(), "站长");
  const guest = await (await browser.newContext({ baseURL: baseURL ?? "", locale: "zh-CN", javaScriptEnabled })).newPage();

  await test.step("ask somebody in", async () => {
    await page.goto("/staff/clerks");
    await looked();
    await main.getByLabel("姓名").fill("吴编辑");
    await main.getByLabel("登录名").fill(name);
    const form = main.locator("form", { hasText: "请新同事进来" });
    await form.getByLabel("动态验证码").fill(device.code());
    await form.getByRole("button", { name: "开通账号" }).click();
    // without a role nobody comes in; what was typed is still there
    await expect(main.getByRole("alert")).toContainText("至少选一个角色");
    await expect(main.getByLabel("登录名")).toHaveValue(name);
    await form.getByRole("checkbox", { name: "编辑" }).check();
    await form.getByLabel("动态验证码").fill(device.code());
    await form.getByRole("button", { name: "开通账号" }).click();
    await expect(main).toContainText("只在这里显示一次");
    await looked();
  });

  await test.step("come in by the link", async () => {
    await guest.goto(await main.getByLabel("邀请链接").inputValue());
    await guest.getByLabel("密码").fill("quiet-harbour-lantern-43");
    const own = new Device(await guest.locator(".hint .num").innerText());
    await guest.getByLabel("验证器显示的动态验证码").fill(own.code());
    await guest.getByRole("button", { name: "设好并登录" }).click();
    await expect(guest.getByRole("heading", { level: 1, name: "待办" })).toBeVisible();
  });

  await test.step("let it go", async () => {
    await page.goto("/staff/clerks");
    await main.getByRole("row", { name: new RegExp(name) }).getByRole("link", { name: "吴编辑" }).click();
    await looked();
    await main.getByRole("button", { name: "全部退出" }).click();
    await expect(main.getByRole("status")).toContainText("已办好");
    await guest.goto("/staff");
    await expect(guest).toHaveURL("/staff/login");
  });
});
