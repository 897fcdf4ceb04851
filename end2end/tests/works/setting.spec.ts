import { SettingPage } from "../../pages/SettingPage.js";
import { ShelfPage } from "../../pages/ShelfPage.js";
import { WorkPage } from "../../pages/WorkPage.js";
import { album } from "../../support/making.js";
import { allPicturesLoad } from "../../support/pictures.js";
import { expect, test } from "../../support/test.js";

test("a work gets another name, a category, a description and another cover", async ({ page, signedIn: _ }) => {
  await page.goto(await album(page, "旧书名", 6));
  const work = new WorkPage(page);
  const before = await work.cover.getAttribute("src");
  const shelf = new ShelfPage(page);
  await shelf.open();
  await shelf.act("旧书名", "改名与设置");
  const setting = new SettingPage(page);
  await setting.title.fill("");
  await setting.author.fill("林知夏");
  await setting.category.selectOption("旅行");
  await setting.description.fill("三天两夜，<b>一路向南</b>。");
  const other = page.locator('input[name="cover"]:not(:checked)').first();
  const cover = await other.getAttribute("value");
  await other.check();
  // the browser asks for a title, and so does the server
  await setting.title.evaluate((field: HTMLInputElement) => field.removeAttribute("required"));
  await setting.save.click();
  await expect(setting.complaint).toContainText("请输入书名");
  await expect(setting.author).toHaveValue("林知夏");
  await expect(page.locator('input[name="cover"]:checked')).toHaveValue(cover ?? "");
  await setting.title.fill("新书名");
  await setting.save.click();
  await expect(work.said).toContainText("设置已保存");
  await expect(work.heading).toHaveText("新书名");
  await expect(page.getByRole("main")).toContainText("旅行");
  await expect(page.getByText("三天两夜，<b>一路向南</b>。")).toBeVisible();
  await expect(work.cover, "another revision, another picture").not.toHaveAttribute("src", before ?? "");
  await allPicturesLoad(page.getByRole("main"));
});
