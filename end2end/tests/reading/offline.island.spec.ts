// A whole work is saved on a reader's wish, read without a connection, and gone once it may not be read any more.
import { ReaderPage, shareTitled } from "../../pages/ReaderPage.js";
import { sharedWork } from "../../support/making.js";
import { run } from "../../support/server.js";
import { expect, test } from "../../support/test.js";

test.describe("without a connection", () => {
  test.use({ breaksRequests: true });

  test("a saved work is read, and goes when it is withdrawn", async ({ page, context, signedIn: _ }) => {
    const address = await sharedWork(page, "带在路上");
    const box = page.locator(".offline");
    // its pictures are drawn by a job
    await expect(async () => {
      await page.goto(address);
      await page.getByRole("button", { name: "离线保存" }).click();
      await expect(box).toContainText(/约 [\d.]+ [KM]B/, { timeout: 2_000 });
    }).toPass();
    await page.getByRole("button", { name: "保存", exact: true }).click();
    await expect(box).toContainText("已离线保存");

    await context.setOffline(true);
    await page.goto(`${address}/3`);
    const picture = new ReaderPage(page).picture;
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);

    // an open page would ask for what it is just losing
    await page.goto("about:blank");
    await context.setOffline(false);
    await run(process.env.END2END_DATA ?? "", "share", "withdraw", address.split("/").pop() ?? "", "--reason", "侵权");
    const answer = await page.goto(address);
    // its own maker still reads it: somebody else does not
    expect(answer?.status()).toBe(200);
    await context.clearCookies();
    await page.goto(address);
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);
  });
});

test("sound and films open in place and begin when they are told to", async ({ page }) => {
  await page.goto(`${await shareTitled("山海之间")}/2`);
  const reader = new ReaderPage(page);
  await expect(reader.areas).toHaveCount(8);
  await page.getByRole("link", { name: "看一段" }).click();
  const film = page.locator("video");
  await expect(film).toBeVisible();
  expect(await film.evaluate((video: HTMLVideoElement) => video.paused)).toBe(true);
  await film.evaluate(async (video: HTMLVideoElement) => {
    video.muted = true;
    await video.play();
  });
  await page.keyboard.press("Escape");
  await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.paused)).toBe(true);
});
