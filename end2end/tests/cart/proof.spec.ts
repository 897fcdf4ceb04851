import { readFile } from "node:fs/promises";
import { CartPage } from "../../pages/CartPage.js";
import { ProofPage } from "../../pages/ProofPage.js";
import { threeInCart } from "../../support/making.js";
import { allPicturesLoad } from "../../support/pictures.js";
import { expect, test } from "../../support/test.js";

test("a proof is looked at, taken along and confirmed before ordering", async ({ page, signedIn: _ }) => {
  test.slow();
  await threeInCart(page, "云上的书");
  const cart = new CartPage(page);
  await cart.open();
  const line = cart.lines.first();
  await line.getByRole("link", { name: "看样", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "看样" })).toBeVisible();
  const proof = new ProofPage(page);
  expect(await allPicturesLoad(page.getByRole("main"))).toBeGreaterThan(4);

  const arriving = page.waitForEvent("download");
  await page.getByRole("link", { name: "下载样稿 PDF" }).click();
  const download = await arriving;
  expect(download.suggestedFilename()).toBe("云上的书-样稿.pdf");
  expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe("%PDF-");

  for (const words of ["我看过了封面和每一页", "我读过了书名", "我知道页边以外"]) await proof.point(words).check();
  await proof.confirm.click();
  await expect(page).toHaveURL(/\/manager\/shopping\/cart#line-/);
  await expect(line.getByText("样稿已确认")).toBeVisible();
  await expect(cart.lines.getByText("样稿已确认")).toHaveCount(1);
});
