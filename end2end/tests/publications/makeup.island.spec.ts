// An editor puts right what was read of a page of twenty stories, with keys and with the mouse on its picture.
import { addressOf, published } from "../../support/papers.js";
import { expect, test } from "../../support/test.js";

test("a page of twenty articles is put right with keys and mouse", async ({ page, signedIn: member }) => {
  const desk = await published(page, addressOf(member.account, "m"));
  await page.goto(`${desk}/1`);
  await page.getByRole("link", { name: "按文字块改" }).click();
  const blocks = page.locator(".blocks li");
  await expect(blocks).toHaveCount(40);
  const line = (words: string) => blocks.filter({ has: page.locator("span", { hasText: new RegExp(`^${words}( |$)`) }) }).first();
  const rect = async (words: string) => page.locator(`rect[data-block="${(await line(words).locator("input").getAttribute("value")) ?? ""}"]`);
  const done = async (act: () => Promise<void>) => {
    const answered = page.waitForEvent("load");
    await act();
    await answered;
  };
  let actions = 0;
  const press = async (key: string) => { actions += 1; await done(() => page.keyboard.press(key)); };
  const choose = async (words: string) => { actions += 1; await (await rect(words)).click(); };

  // each second headline was none: chosen on the picture, and joined with a key
  for (let number = 2; number <= 20; number += 2) {
    await choose(`Story number ${number}`);
    await press("b");
    await expect(line(`Story number ${number}`)).toContainText("正文 ·");
  }
  expect(actions).toBe(20);
  await press("z");
  await expect(line("Story number 20")).toContainText("标题 · Story number 20");
  // arrows go from block to block, a key says what one is
  await choose("Here the text of 20");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  await press("3");
  await expect(line("Here the text of 20")).toContainText("副题 · Story number 20");
  await press("z");
  // a block is dragged to where it belongs
  const [from, to] = [await (await rect("Here the text of 20")).boundingBox(), await (await rect("Story number 19")).boundingBox()];
  if (!from || !to) throw new Error("no places");
  await done(async () => {
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 });
    await page.mouse.up();
  });
  await expect(line("Here the text of 20")).toContainText("正文 · Story number 19");
});
