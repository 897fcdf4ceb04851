// Pages in states to which somebody has to come first, looked at by axe; every other page is part of the tour (pages.spec.ts).
import { AddressesPage } from "../../pages/AddressesPage.js";
import { faults } from "../../support/axe.js";
import { expect, test } from "../../support/test.js";

/** One state's fault hides no other's. */
const softly = expect.configure({ soft: true });

test("the pages of addresses have no fault that axe knows", async ({ page, signedIn: _ }) => {
  await page.goto("/manager/userInfo/addresses/new");
  const addresses = new AddressesPage(page);
  await addresses.save.click();
  await expect(addresses.complaint).toBeVisible();
  await softly.poll(() => faults(page), "refused").toEqual([]);
  await addresses.fillAddress();
  await addresses.save.click();
  await addresses.card("林知夏").locator("summary").click();
  await softly.poll(() => faults(page), "asked").toEqual([]);
  await addresses.card("林知夏").getByRole("link", { name: "修改" }).click();
  await expect(addresses.save).toBeVisible();
  await softly.poll(() => faults(page), "changed").toEqual([]);
});

test("refused forms have no fault that axe knows", async ({ page, member }) => {
  await page.goto("/manager/login");
  await page.getByLabel("账号").fill(member.account);
  await page.getByLabel("密码").fill("not the password");
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expect.poll(() => faults(page)).toEqual([]);
});
