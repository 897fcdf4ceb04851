// Issues are read as shared works are: turned by keys and fingers, two pages side by side, looked at closely, on from where
// somebody came to, without a connection, and aloud.
import { IssuePage, newestPaper } from "../../pages/IssuePage.js";
import { faults } from "../../support/axe.js";
import { Fingers } from "../../support/fingers.js";
import { blank, idOf, said, send } from "../../support/making.js";
import { phone } from "../../support/old_phone.js";
import { still } from "../../support/still.js";
import { expect, test } from "../../support/test.js";

test("a newspaper is turned by keys, shown in twos, and read on where it was left", async ({ page }) => {
  const issue = await newestPaper(page);
  const paper = new IssuePage(page);
  await page.goto(`${issue}/1`);
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/\/2$/);
  await expect(paper.heading).toContainText("02版");
  await expect(paper.beside).toBeHidden();
  await page.getByRole("button", { name: "双页" }).click();
  await expect(paper.beside).toBeVisible();
  const [left, right] = [await paper.picture.boundingBox(), await paper.beside.boundingBox()];
  expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0) - 2);
  await expect.poll(() => faults(page)).toEqual([]);
  // who likes two pages has them the next time, and turns both
  await page.reload();
  await expect(paper.beside).toBeVisible();
  await page.keyboard.press("PageDown");
  await expect(page).toHaveURL(/\/4$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/2$/);
  await expect(paper.heading).toContainText("02版");
  await page.keyboard.press("End");
  await expect(page).toHaveURL(/\/4$/);
  // a second on a page is reading it
  await page.waitForTimeout(1_200);
  await page.goto("/epaper/longjing");
  await page.getByRole("link", { name: "继续第 4 版" }).click();
  await expect(page).toHaveURL(/\/4$/);
});

test.describe("on a phone", () => {
  test.use(phone);

  test("a page is swiped, looked at closely, and its article read", async ({ page }) => {
    const issue = await newestPaper(page);
    const paper = new IssuePage(page);
    const fingers = await Fingers.on(page);
    await page.goto(`${issue}/1`);
    await expect.poll(() => faults(page)).toEqual([]);
    await paper.picture.scrollIntoViewIfNeeded();
    const box = await still(paper.picture);
    const at = (x: number, y: number) => ({ x: box.x + box.width * x, y: Math.max(8, box.y) + 200 * y });
    await fingers.drag(at(0.8, 0.5), at(0.2, 0.5));
    await expect(page).toHaveURL(/\/2$/);
    await page.goBack();
    await expect(paper.heading).toContainText("01版");

    // two taps bring the article, whose words are one tap away
    const area = paper.areas.first();
    await expect(async () => {
      // on a busy machine two taps may come too late for one another
      if (/\/a\//.test(page.url())) await page.goBack();
      await area.scrollIntoViewIfNeeded();
      const lead = await still(area.locator("rect").first());
      const point = { x: lead.x + lead.width / 2, y: lead.y + Math.min(lead.height / 2, 60) };
      await fingers.tap(point);
      await fingers.tap(point);
      await expect(paper.pane).toBeVisible({ timeout: 3_000 });
    }).toPass();
    const name = (await area.getAttribute("aria-label")) ?? "";
    await expect(paper.large.getByRole("link", { name: `看文字：${name}` })).toBeVisible();
    expect(await paper.zoom(), "wider than the phone").toBeGreaterThan(1);
    await expect.poll(() => paper.pane.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(2048);
    await expect.poll(() => faults(page, { part: "dialog" })).toEqual([]);

    // two fingers make it larger, one moves it
    const before = await paper.zoom();
    await fingers.down({ x: 150, y: 300 }, { x: 210, y: 300 });
    await fingers.move([{ x: 90, y: 300 }, { x: 270, y: 300 }]);
    await fingers.up();
    await expect.poll(() => paper.zoom()).toBeGreaterThan(before * 1.5);
    await page.getByRole("button", { name: "缩小" }).click();
    await page.getByRole("link", { name: `看文字：${name}` }).click();
    await expect(page).toHaveURL(/\/a\/1$/);
    await expect(paper.heading).toHaveText(name);
    await page.goBack();
    await expect(paper.heading).toContainText("01版");
    // one tap leads to the words at once; one on a page that is still coming in is nobody's
    await expect(async () => {
      await area.scrollIntoViewIfNeeded();
      const again = await still(area.locator("rect").first());
      await fingers.tap({ x: again.x + again.width / 2, y: again.y + Math.min(again.height / 2, 60) });
      await expect(page).toHaveURL(/\/a\/1$/, { timeout: 3_000 });
    }).toPass();
  });
});

test("a shared work is looked at closely as a newspaper is", async ({ page, signedIn: _ }) => {
  const id = idOf(await blank(page, "看仔细"));
  const settings = { visibility: "public", direction: "left", title: "看仔细", description: "", ends_on: "", card_page: "0", embed_sites: "" };
  await send(page, `/manager/opus_share_edit/${id}`, { ...settings, act: "publish" });
  await page.goto(`/read/${id}/1`);
  const reader = new IssuePage(page);
  await reader.picture.click();
  await expect(reader.pane).toBeVisible();
  const before = await reader.zoom();
  await page.getByRole("button", { name: "放大", exact: true }).click();
  expect(await reader.zoom()).toBeGreaterThan(before);
  await page.keyboard.press("Escape");
  await expect(reader.large).toHaveCount(0);
});

test.describe("without a connection", () => {
  test.use({ breaksRequests: true });

  test("a saved issue is read, and goes when it is withdrawn", async ({ page, context, signedIn: member }) => {
    const work = idOf(await blank(page, "带走的一期"));
    const title = await said(page, "/manager/magazine/new", /name="publication" value="([^"]+)"/);
    const address = `o-${member.account.replace(/[^a-z0-9]/g, "").slice(0, 24)}`;
    const words = { name: "路上的刊物", organiser: "我们", number: "", description: "", weekday: "0", reading: "free" };
    await send(page, "/manager/magazine/new", { publication: title, address, ...words });
    const desk = `/manager/magazine/${title}/issue`;
    const issue = await said(page, desk, /name="issue" value="([^"]+)"/);
    const form = new FormData();
    for (const [name, value] of Object.entries({ issue, day: "2026-01-10", work })) form.append(name, value);
    await page.request.post(desk, { multipart: form, maxRedirects: 0 });
    await send(page, `/manager/magazine_issue/${issue}/state`, { act: "publish" });

    const paper = new IssuePage(page);
    const home = `/magazine/${address}/1`;
    await expect(async () => {
      await page.goto(`${home}/1`);
      await page.getByRole("button", { name: "离线保存" }).click();
      await expect(paper.saved).toContainText(/约 [\d.]+ [KM]B/, { timeout: 2_000 });
    }).toPass();
    await page.getByRole("button", { name: "保存", exact: true }).click();
    await expect(paper.saved).toContainText("已离线保存");

    await context.setOffline(true);
    await page.goto(`${home}/3`);
    await expect.poll(() => paper.picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    await page.goto("about:blank");
    await context.setOffline(false);
    await send(page, `/manager/magazine_issue/${issue}/state`, { act: "withdraw" });
    // its maker still reads it: somebody else does not
    await context.clearCookies();
    const answer = await page.goto(`${home}/3`);
    expect(answer?.status()).toBe(410);
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);
  });
});

test("an article is read aloud, larger, and at night", async ({ page }) => {
  // this browser has no voice of its own
  await page.addInitScript(() => {
    const voice = { lang: "zh-CN", localService: true, name: "小书", default: true, voiceURI: "x" } as SpeechSynthesisVoice;
    const said: string[] = [];
    let held: EventTarget | undefined;
    Object.assign(globalThis, { said });
    class Utterance extends EventTarget {
      lang = "";
      voice: unknown;
      constructor(readonly text: string) { super(); }
    }
    const synthesis = Object.assign(new EventTarget(), {
      getVoices: () => [voice],
      cancel: () => held?.dispatchEvent(new Event("error")),
      // the third sentence lasts until it is stopped
      speak: (words: Utterance) => {
        said.push(words.text);
        if (said.length < 3) setTimeout(() => words.dispatchEvent(new Event("end")), 100);
        else held = words;
      },
    });
    Object.defineProperty(globalThis, "speechSynthesis", { value: synthesis });
    Object.defineProperty(globalThis, "SpeechSynthesisUtterance", { value: Utterance });
  });
  const issue = await newestPaper(page);
  const paper = new IssuePage(page);
  await page.goto(`${issue}/a/1`);
  const words = page.locator(".story");
  const usual = (await words.boundingBox())?.height ?? 0;
  await page.getByRole("button", { name: "朗读" }).click();
  const said = () => page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
  await expect.poll(async () => (await said()).length).toBeGreaterThan(2);
  const spoken = await said();
  expect((await words.innerText()).replace(/\s/g, "").startsWith(spoken.slice(0, 2).join("").replace(/\s/g, ""))).toBe(true);
  expect(await said(), "what is marked is what is said").toContain(await paper.spoken());
  await page.getByRole("button", { name: "停止朗读" }).click();
  await expect.poll(() => paper.spoken()).toBe("");

  await page.getByRole("button", { name: "字大" }).click();
  await page.getByRole("button", { name: "字大" }).click();
  await page.getByRole("button", { name: "夜间" }).click();
  await expect.poll(() => faults(page)).toEqual([]);
  // kept for this device, for other articles and works, too
  await page.reload();
  await expect(page.getByRole("button", { name: "夜间" })).toHaveAttribute("aria-pressed", "true");
  expect((await words.boundingBox())?.height ?? 0).toBeGreaterThan(usual * 1.2);
  await page.getByRole("button", { name: "夜间" }).click();
  await expect(page.locator("html")).not.toHaveAttribute("data-night");
});
