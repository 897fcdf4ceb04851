// The same by hand: a grip is pulled, or moved with the arrow keys; a reload finds the order.
import { BookShelfPage } from "../../pages/BookShelfPage.js";
import { sharedWork } from "../../support/works.js";
import { expect, test } from "../../support/test.js";

test("a shelf is put in order with the mouse and with keys", async ({ page, signedIn: _ }) => {
  for (const title of ["春日", "夏日", "秋日"]) await sharedWork(page, title);
  const shelf = new BookShelfPage(page);
  await shelf.begin();
  await shelf.title.fill("按着手搬书");
  await shelf.name.fill(`ban-${Date.now()}`);
  await shelf.save.click();
  await shelf.add("春日", "夏日", "秋日");
  const titles = () => shelf.items.locator("strong").allTextContents();
  const [first = "", second = "", third = ""] = await titles();
  const grip = (title: string) => page.getByRole("button", { name: `移动《${title}》` });
  const saved = () => page.waitForResponse((answer) => answer.url().endsWith("/order") && answer.status() === 204);

  const keyed = saved();
  await grip(first).press("ArrowDown");
  await expect(grip(first)).toBeFocused();
  await keyed;
  expect(await titles()).toEqual([second, first, third]);

  const from = await grip(third).boundingBox();
  const to = await grip(second).boundingBox();
  if (!from || !to) throw new Error("the grips are there");
  const pulled = saved();
  await page.mouse.move(from.x + 5, from.y + 5);
  await page.mouse.down();
  await page.mouse.move(to.x + 5, to.y - 20, { steps: 8 });
  await page.mouse.up();
  await pulled;
  await page.reload();
  expect(await titles()).toEqual([third, second, first]);
});
