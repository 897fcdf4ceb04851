// What sending photos is like with JavaScript: piece by piece, over a line that breaks, on over another page.
import { createHash } from "node:crypto";
import type { Page, Request } from "@playwright/test";
import { MakePage } from "../../pages/MakePage.js";
import { PhotosPage } from "../../pages/PhotosPage.js";
import { faults } from "../../support/axe.js";
import { largePhoto, notAPhoto, photo, photos } from "../../support/photos.js";
import { sideways } from "../../support/pictures.js";
import { expect, test } from "../../support/test.js";

/** The requests of uploads, as `POST`, `PATCH`, …. */
function requests(page: Page): Request[] {
  const seen: Request[] = [];
  page.on("request", (request) => {
    if (/\/manager\/uploads(\/(?!known)|$)/.test(request.url())) seen.push(request);
  });
  return seen;
}

/** Lets uploads through, or breaks their line; what is here already may always be asked. */
async function gate(page: Page): Promise<{ open(): void }> {
  let isOpen = false;
  await page.route(/\/manager\/uploads\/(?!known)/, (route) => (isOpen ? route.continue() : route.abort()));
  return { open: () => (isOpen = true) };
}

const count = (seen: Request[], method: string) => seen.filter((request) => request.method() === method).length;

test("photos come in by themselves, each once, and the page shows them", async ({ page, signedIn: _ }) => {
  const seen = requests(page);
  const library = new PhotosPage(page);
  await library.open();
  const scripts = await page.evaluate(() => {
    const loaded = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    return loaded.filter(({ name }) => name.endsWith(".js")).reduce((sum, script) => sum + script.encodedBodySize, 0);
  });
  expect(scripts, "neither React nor tus is loaded before somebody uploads").toBeLessThan(20_000);
  const six = photos();
  await library.upload(six);
  await expect(library.said).toHaveText("已上传 6 张照片。");
  await expect(library.photos).toHaveCount(6);
  expect(count(seen, "POST")).toBe(6);
  // once more, with one that is new
  await library.upload([...six, photo("新的.jpg", 320, 240)]);
  await expect(library.said).toHaveText("已上传 7 张照片。6 张素材里已有，没有重传。");
  await expect(library.photos).toHaveCount(7);
  expect(count(seen, "POST"), "what is here is not sent again").toBe(7);
});

test("what can't be taken is named beside its reason, before it is sent", async ({ page, signedIn: _ }) => {
  const seen = requests(page);
  const library = new PhotosPage(page);
  await library.open();
  await library.upload([{ ...notAPhoto("空的.jpg"), buffer: Buffer.alloc(0) }]);
  await expect(library.complaint).toContainText("1 个文件没有收下");
  const item = (name: string) => library.complaint.getByRole("listitem").filter({ hasText: `${name}：` });
  await expect(item("空的.jpg")).toContainText("文件是空的");
  expect(count(seen, "POST")).toBe(0);
  await library.upload([notAPhoto("假照片.jpg")]);
  await expect(item("假照片.jpg")).toContainText("不是照片");
});

test.describe("over a line that breaks", () => {
  test.use({ breaksRequests: true });

  test("a photo is tried again until it is there", async ({ page, signedIn: _ }) => {
    const library = new PhotosPage(page);
    await library.open();
    let broken = 0;
    await page.route("**/manager/uploads/*", async (route) => {
      if (route.request().method() !== "PATCH" || broken >= 2) return route.continue();
      broken += 1;
      return route.abort();
    });
    await library.begin([photo("断线.jpg", 640, 480)]);
    await expect(page.getByText("网络断了，正在重试")).toBeVisible();
    await expect(library.said).toHaveText("已上传 1 张照片。");
    expect(broken).toBe(2);
    await expect(library.photos).toHaveCount(1);
  });

  test("pausing holds everything, and going on finishes it", async ({ page, signedIn: _ }) => {
    const library = new PhotosPage(page);
    await library.open();
    const line = await gate(page);
    await library.begin(photos());
    await expect(page.getByText("网络断了，正在重试").first()).toBeVisible();
    await expect(page.getByRole("progressbar", { name: "上传进度" })).toBeVisible();
    await expect.poll(() => faults(page)).toEqual([]);
    await page.getByRole("button", { name: "暂停" }).click();
    await expect(library.said).toContainText("已暂停，已完成 0 / 6 张");
    await page.setViewportSize({ width: 360, height: 740 });
    await expect.poll(() => sideways(page)).toEqual([]);
    await expect.poll(() => faults(page)).toEqual([]);
    line.open();
    await page.getByRole("button", { name: "继续" }).click();
    await expect(library.said).toHaveText("已上传 6 张照片。");
    await expect(library.photos).toHaveCount(6);
  });

  test("another page goes on where this one stopped", async ({ page, signedIn: _ }) => {
    const seen = requests(page);
    const library = new PhotosPage(page);
    await library.open();
    const file = photo("半张.jpg", 1280, 960);
    // half of it arrives, then the line is gone
    await page.route("**/manager/uploads/*", async (route) => {
      const request = route.request();
      if (request.method() !== "PATCH") return route.continue();
      const half = file.buffer.subarray(0, Math.floor(file.buffer.length / 2));
      if (request.headers()["upload-offset"] === "0") {
        await page.request.patch(request.url(), {
          data: half,
          headers: { "tus-resumable": "1.0.0", "upload-offset": "0", "content-type": "application/offset+octet-stream" },
        });
      }
      return route.abort();
    });
    await library.begin([file]);
    await expect(page.getByText("网络断了，正在重试")).toBeVisible();
    const sha256 = createHash("sha256").update(file.buffer).digest("hex");
    expect(await page.evaluate((name) => localStorage.getItem(name), `desk:upload:/manager/uploads:${sha256}`)).toContain("/manager/uploads/");
    // the page that was left does not try again meanwhile
    await library.open();
    await page.unrouteAll({ behavior: "wait" });
    await expect(page.getByText("有 1 张照片还没有传完：半张.jpg")).toBeVisible();
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "PATCH") sent.push(request.headers()["upload-offset"] ?? "");
    });
    // whatever it is called by now
    await library.upload([{ ...file, name: "改名.jpg" }]);
    await expect(library.said).toHaveText("已上传 1 张照片。");
    await expect(library.photos).toHaveCount(1);
    expect(count(seen, "POST"), "it is the same upload").toBe(1);
    expect(sent, "only the other half is sent").toEqual([String(Math.floor(file.buffer.length / 2))]);
    expect(await page.evaluate((name) => localStorage.getItem(name), `desk:upload:/manager/uploads:${sha256}`)).toBeNull();
    await expect(page.getByText("还没有传完")).toHaveCount(0);
  });

  test("a book that is asked for too early waits for its photos", async ({ page, signedIn: _ }) => {
    const desk = new MakePage(page);
    await desk.open();
    await desk.choose("方形画册");
    await desk.title.fill("等一等");
    const line = await gate(page);
    await desk.files.setInputFiles(photos());
    await expect(page.getByText("网络断了，正在重试").first()).toBeVisible();
    await desk.button.click();
    await expect(desk.button).toHaveAttribute("aria-busy", "true");
    await expect(page.getByRole("status").filter({ hasText: "自动生成画册" })).toContainText(/\d+ 张/);
    const answer = desk.answer();
    line.open();
    await desk.finish(answer);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("等一等");
  });
});

test("pages are laid out while the originals are still on their way", async ({ page, signedIn: _ }) => {
  const held: (() => void)[] = [];
  let isSlow = true;
  await page.route("**/manager/uploads/*", async (route) => {
    // a line so slow that the large ones hardly move
    if (isSlow && route.request().method() === "PATCH") await new Promise<void>((go) => held.push(go));
    await route.continue();
  });
  const desk = new MakePage(page);
  await desk.open();
  await desk.choose("方形画册");
  await desk.title.fill("先看版面");
  const originals = ["山.jpg", "海.jpg", "林.jpg"].map((name, index) => largePhoto(name, 1500, 1000 + 40 * index));
  await desk.files.setInputFiles(originals);
  await expect(page.getByRole("progressbar", { name: "上传进度" })).toBeVisible();
  await desk.button.click();
  await expect(page.getByRole("status").filter({ hasText: "版面已经排好" })).toContainText("原图还在上传，请不要关闭这个页面");
  await expect(page).toHaveURL(/make_ebook$/);
  await expect.poll(() => faults(page)).toEqual([]);
  await expect.poll(() => sideways(page)).toEqual([]);
  const opened = page.waitForEvent("popup");
  await page.getByRole("link", { name: "打开作品" }).click();
  const work = await opened;
  await expect(work.getByRole("heading", { level: 1 })).toHaveText("先看版面");
  await expect(work.getByText("原图还没有上传完成").first()).toBeVisible();
  const library = new PhotosPage(await page.context().newPage());
  await library.open();
  await expect(library.photos.filter({ hasText: "原图未到" })).toHaveCount(3);
  // the line comes back
  isSlow = false;
  for (const go of held) go();
  await expect(page.getByText("原图已经到齐，可以下单了。")).toBeVisible();
  await library.open();
  await expect(library.photos).toHaveCount(3);
  await expect(library.photos.filter({ hasText: "原图未到" })).toHaveCount(0);
  await work.reload();
  await expect(work.getByText("原图还没有上传完成")).toHaveCount(0);
  // asking for the same book again leads to it
  await desk.button.click();
  await page.waitForURL(work.url());
});
