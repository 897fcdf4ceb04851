// Twelve guests send over 3G, whose line is cut twenty times: small copies come first, every photo arrives once, and a book is made of
// them in which all are named.
import { createHash } from "node:crypto";
import type { Browser, Page } from "@playwright/test";
import { faults } from "../../support/axe.js";
import { type File, heavy, photo } from "../../support/photos.js";
import { sideways } from "../../support/pictures.js";
import { expect, test } from "../../support/test.js";
import { WeakLine } from "../../support/weak_line.js";

test.use({ viewport: { width: 360, height: 740 } });

/** Bytes more than a small photo has: 22 s of the line. */
const LARGE = 1_080_000;
const NAMES = ["大伯", "二姨", "三叔", "四姑", "小舅", "堂哥", "表弟", "同桌", "室友", "邻居"];

/** A guest's phone without a browser: it speaks what the island does. */
class Phone {
  readonly #page: URL;
  #cookie = "";

  constructor(readonly line: WeakLine, page: URL) {
    this.#page = page;
  }

  async open(name: string): Promise<void> {
    const page = await this.#ask("GET", this.#page.pathname);
    this.#cookie = (page.headers["set-cookie"] ?? []).map((set) => set.split(";")[0]).join("; ");
    const form = new FormData();
    form.set("name", name);
    const words = new Response(form);
    const body = Buffer.from(await words.arrayBuffer());
    const answer = await this.#ask("POST", this.#page.pathname, { "content-type": words.headers.get("content-type") ?? "" }, body);
    expect(answer.status).toBe(303);
  }

  /** Sends a photo, and goes on where the line was cut. */
  async send({ name, buffer }: File): Promise<void> {
    const sha256 = createHash("sha256").update(buffer).digest("hex");
    const told = Object.entries({ filename: name, sha256 }).map(([key, value]) => `${key} ${Buffer.from(value).toString("base64")}`);
    const made = await this.#tus("POST", `${this.#page.pathname}/uploads`, { "upload-length": String(buffer.length), "upload-metadata": told.join(",") });
    expect(made.status, made.text).toBe(201);
    const place = made.headers.location ?? "";
    for (let at = 0; at < buffer.length; ) {
      const head = { "upload-offset": String(at), "content-type": "application/offset+octet-stream" };
      const sent = await this.#tus("PATCH", place, head, buffer.subarray(at)).catch(() => undefined);
      const answer = sent?.status === 204 ? sent : await this.#tus("HEAD", place);
      const now = Number(answer.headers["upload-offset"]);
      expect(now, "what has come stays").toBeGreaterThanOrEqual(at);
      at = now;
    }
  }

  #tus(method: string, path: string, headers: Record<string, string> = {}, body?: Buffer) {
    return this.#ask(method, path, { "tus-resumable": "1.0.0", ...headers }, body);
  }

  #ask(method: string, path: string, headers: Record<string, string> = {}, body?: Buffer) {
    const length = body || method === "POST" ? { "content-length": String(body?.length ?? 0) } : {};
    return this.line.ask(method, new URL(path, this.#page), { cookie: this.#cookie, ...length, ...headers }, body);
  }
}

/** A guest's page behind a line of its own. */
async function opened(browser: Browser, baseURL: string, address: string): Promise<{ line: WeakLine; page: Page }> {
  const line = await WeakLine.open();
  const context = await browser.newContext({ baseURL, locale: "zh-CN", viewport: { width: 360, height: 740 }, proxy: line.proxy });
  const page = await context.newPage();
  await page.goto(address);
  return { line, page };
}

async function send(page: Page, name: string, files: File[]): Promise<void> {
  await page.getByLabel("您的名字").fill(name);
  await page.getByLabel("选照片").setInputFiles(files);
  await expect(page.getByText(`选好了 ${files.length} 张`)).toBeVisible();
  await page.getByRole("button", { name: "发送" }).click();
}

test("twelve guests' photos come over a line that is cut twenty times", async ({ page, signedIn: _, browser, baseURL }) => {
  await page.goto("/manager/guests/new");
  await page.getByLabel("名称").fill("小雨和老王的婚礼");
  await page.getByRole("button", { name: "建好" }).click();
  await expect(page.getByRole("status")).toContainText("建好了");
  const own = page.url().split("?")[0] ?? "";
  const link = (await page.getByRole("link", { name: /\/g\// }).getAttribute("href")) ?? "";
  const address = new URL(new URL(link).pathname, baseURL);

  const phones = await Promise.all(NAMES.map(async (name, number) => {
    const line = await WeakLine.open();
    const files = ["a", "b"].map((part, at) => photo(`${name}-${part}.jpg`, 900 + 8 * number, 640 + 8 * at));
    return { phone: new Phone(line, address), name, files };
  }));
  const driven = Promise.all(phones.map(async ({ phone, name, files }, number) => {
    await phone.open(name);
    if (number < 8) phone.line.cutAfter(8_000, 12_000);
    for (const file of files) await phone.send(file);
  }));

  // the first page: the owner sees a photo within seconds while its original is on its way
  const one = await opened(browser, baseURL ?? "", address.pathname);
  const scripts = await one.page.evaluate(() => {
    const loaded = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    return loaded.filter(({ name }) => name.endsWith(".js")).reduce((sum, script) => sum + script.encodedBodySize, 0);
  });
  expect(scripts, "no island before somebody chooses").toBeLessThan(5_000);
  await send(one.page, "表姐", [heavy(photo("切蛋糕.jpg", 1300, 900), LARGE), photo("合影.jpg", 640, 480)]);
  const sent = one.page.locator("#sent");
  await expect(sent.getByText("原图还在路上")).toBeVisible();
  one.line.cutAfter(200_000, 300_000);
  await page.goto(own);
  await expect(page.getByText("原图还在路上").first()).toBeVisible();
  // it is written below meanwhile, held and gone on with
  await one.page.getByRole("button", { name: "暂停" }).click();
  await expect(one.page.getByText("已暂停，").first()).toBeVisible();
  await sent.getByLabel("切蛋糕.jpg 的图说").fill("切蛋糕的时候");
  await sent.getByRole("button", { name: "保存图说" }).click();
  await expect.poll(() => faults(one.page)).toEqual([]);
  await expect.poll(() => sideways(one.page)).toEqual([]);
  await sent.getByLabel("切蛋糕.jpg 的图说").blur();
  await one.page.getByRole("button", { name: "继续" }).click();

  // the second page is closed in the middle: the same photos go on where they were
  const two = await opened(browser, baseURL ?? "", address.pathname);
  const film = heavy(photo("散场.jpg", 1200, 900), LARGE);
  // where each upload was gone on with, first of all
  const offsets = (page: Page) => {
    const seen = new Map<string, number>();
    page.on("request", (request) => {
      const address = request.url();
      if (request.method() === "PATCH" && !seen.has(address)) seen.set(address, Number(request.headers()["upload-offset"]));
    });
    return seen;
  };
  const begun = offsets(two.page);
  two.line.cutAfter(400_000, 300_000);
  await send(two.page, "表嫂", [film]);
  await expect.poll(() => two.line.cuts).toBe(2);
  await two.page.close();
  const again = await two.page.context().newPage();
  const seen = offsets(again);
  await again.goto(address.pathname);
  await expect(again.getByText("有 1 张还没有发完：散场.jpg")).toBeVisible();
  await again.getByLabel("再选照片").setInputFiles([film, photo("晚安.jpg", 640, 480)]);
  await again.getByRole("button", { name: "发送" }).click();
  await expect(again.getByRole("status").first()).toHaveText("收到了 2 张，谢谢。");
  const resumed = [...seen].filter(([address]) => begun.has(address)).map(([, offset]) => offset);
  expect(resumed.length, "what was begun is gone on with").toBeGreaterThan(0);
  expect(Math.min(...resumed), "it is not sent from its beginning").toBeGreaterThan(0);
  await expect(one.page.getByRole("status").first()).toHaveText("收到了 2 张，谢谢。");
  await expect(sent.getByText("切蛋糕的时候").or(sent.locator("[value=切蛋糕的时候]"))).toBeAttached();
  await driven;
  const lines = [one.line, two.line, ...phones.map(({ phone }) => phone.line)];
  expect(lines.reduce((sum, line) => sum + line.cuts, 0)).toBe(20);
  await Promise.all([one.page.context().close(), again.context().close()]);
  await Promise.all(lines.map((line) => line.close()));

  await page.goto(own);
  await expect(page.getByText("12 位来宾发来 24 张")).toBeVisible();
  await page.getByRole("button", { name: "全部收下" }).click();
  await expect(page.getByRole("status"), "each photo once").toContainText("收下 24 张");
  await page.getByRole("link", { name: "做成一本书" }).click();
  await page.getByRole("button", { name: "生成画册" }).last().click();
  if (page.url().includes("make_ebook")) await page.getByRole("button", { name: "生成画册" }).last().click();
  await expect(page).toHaveURL(/\/manager\/opus\//);
  const work = new URL(page.url()).pathname.split("/").pop() ?? "";
  const document = await (await page.request.get(`/works/document?workID=${work}`)).text();
  for (const name of [...NAMES, "表姐", "表嫂", "切蛋糕的时候"]) expect(document).toContain(name);
});
