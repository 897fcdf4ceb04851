// The editor without a script: everything but free dragging, by links and forms. With one, the same way in.
import { album } from "../../support/making.js";
import { allPicturesLoad } from "../../support/pictures.js";
import { expect, test } from "../../support/test.js";

test("a work is opened in the editor", { tag: "@no-js" }, async ({ page, signedIn: _ }, info) => {
  await page.goto(await album(page, "山水之间", 2));
  await page.getByRole("link", { name: "编辑", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("编辑《山水之间》");
  if (info.project.use.javaScriptEnabled !== false) {
    await expect(page.getByRole("group", { name: "版面" })).toBeVisible();
    return;
  }
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "印前检查" })).toBeVisible();
  await main.getByRole("link", { name: "下一页" }).click();
  await main.getByRole("link", { name: "下一页" }).click();
  await expect(main.getByRole("img", { name: "第 2 页" })).toBeVisible();
  await expect(main.getByRole("img", { name: "第 3 页" })).toBeVisible();
  expect(await allPicturesLoad(main)).toBeGreaterThan(8);
  await main.getByRole("link", { name: "版式与底色" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("第 2–3 页");
  await page.getByRole("link", { name: "回到编辑器" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("编辑《山水之间》");
  await expect(main.getByRole("img", { name: "第 2 页" })).toBeVisible();
  // without a work: the albums to go on with
  await page.goto("/manager/opus_list_edit");
  await page.getByRole("link", { name: "山水之间" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("编辑《山水之间》");
});
