// What the making desk does with a script that its page does without one.
import { MakePage } from "../../pages/MakePage.js";
import { photo, twin } from "../../support/photos.js";
import { expect, test } from "../../support/test.js";

test("photos that look alike are chosen in the page before anything is sent", async ({ page, signedIn: _ }) => {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/manager/make_ebook")) sent.push(request.url());
  });
  const desk = new MakePage(page);
  await desk.open();
  await desk.title.fill("很像的两张");
  const first = photo("一.jpg", 1200, 900);
  await desk.add([first, twin(first, "二.jpg"), photo("三.jpg", 1200, 900)]);
  await desk.button.click();
  await expect(page.getByRole("status").filter({ hasText: "1 组很像的照片" })).toBeVisible();
  await expect(page.getByRole("group", { name: "很像的照片（1 组）" }).getByRole("checkbox").first()).toBeFocused();
  expect(sent).toEqual([]);
  await desk.send();
});
