// The same by hand: a grip is pulled, or moved with the arrow keys; a reload finds the order.
import { BookShelfPage } from "../../pages/BookShelfPage.js";
import { sharedWork } from "../../support/making.js";
import { still } from "../../support/still.js";
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
  await expect(shelf.items).toHaveCount(3);
  const [first = "", second = "", third = ""] = await titles();
  const grip = (title: string) => page.getByRole("button", { name: `移动《${title}》` });
  const saved = () => page.waitForResponse((answer) => answer.url().endsWith("/order") && answer.status() === 204);

  const keyed = saved();
  await grip(first).press("ArrowDown");
  await expect(grip(first)).toBeFocused();
  await keyed;
  await expect.poll(titles).toEqual([second, first, third]);

  const [from, to] = [await still(grip(third)), await still(grip(second))];
  const pulled = saved();
  await page.mouse.move(from.x + 5, from.y + 5);
  await page.mouse.down();
  await page.mouse.move(to.x + 5, to.y - 20, { steps: 8 });
  await page.mouse.up();
  await pulled;
  await page.reload();
  await expect.poll(titles).toEqual([third, second, first]);
});
