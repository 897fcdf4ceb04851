// A clerk adds a passkey and signs in with it: the device is Chromium's own, in software.
import { faults } from "../../support/axe.js";
import { signInClerk } from "../../support/clerk.js";
import { startNamed } from "../../support/server.js";
import { expect, test } from "../../support/test.js";

test("a passkey takes the place of password and code", async ({ browser }) => {
  test.slow();
  const shop = await startNamed();
  try {
    const context = await browser.newContext({ baseURL: shop.base, locale: "zh-CN" });
    const page = await context.newPage();
    const main = page.getByRole("main");
    const devices = await context.newCDPSession(page);
    await devices.send("WebAuthn.enable");
    await devices.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    const device = await signInClerk(page, shop.data, "印务");
    await page.goto("/staff/me");
    await main.getByRole("link", { name: "管理通行密钥" }).click();
    await main.getByLabel("动态验证码").fill(device.code());
    await main.getByLabel("给它起个名字").fill("柜台的电脑");
    expect(await faults(page)).toEqual([]);
    await main.getByRole("button", { name: "添加通行密钥" }).click();
    await main.getByRole("button", { name: "创建通行密钥" }).click();
    await expect(main.getByRole("status").first()).toContainText("已办好");
    await expect(main).toContainText("柜台的电脑");
    await context.clearCookies();
    await page.goto("/staff/floor");
    await expect(page).toHaveURL(/\/staff\/login\?next=/);
    await page.getByRole("button", { name: "用通行密钥登录" }).click();
    await expect(page).toHaveURL("/staff/floor");
    await page.goto("/staff/me/passkeys");
    await expect(main).toContainText("上次使用");
  } finally {
    await shop.stop();
  }
});
