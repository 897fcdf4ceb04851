// Where somebody has come to goes with the account from one device to the other; the later one counts, and the way back is
// offered.
import { sharedWork } from "../../support/making.js";
import { expect, signIn, test } from "../../support/test.js";

test("a book is read on where another device left it", async ({ page, signedIn: member, browser, baseURL }) => {
  const address = await sharedWork(page, "两处读");
  const noted = (device: typeof page) => device.waitForResponse((answer) => answer.url().endsWith("/book-study/place"));
  const here = noted(page);
  await page.goto(`${address}/3`);
  await here;

  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  const phone = await context.newPage();
  await signIn(phone, member);
  await phone.goto(address);
  const arrived = noted(phone);
  await phone.getByRole("link", { name: "继续第 3 页" }).click();
  await arrived;
  const there = noted(phone);
  await phone.keyboard.press("ArrowRight");
  await expect(phone).toHaveURL(/\/4$/);
  await there;
  await context.close();

  await page.goto(address);
  await expect(page.getByRole("link", { name: "继续第 4 页" })).toBeVisible();
  await page.getByRole("link", { name: "回到第 3 页" }).click();
  await expect(page).toHaveURL(/\/3$/);
});
