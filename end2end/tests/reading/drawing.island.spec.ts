// Hot areas are drawn on their page, pushed along and held by a corner; the numbers in the form follow.
import { blank, idOf } from "../../support/making.js";
import { still } from "../../support/still.js";
import { expect, test } from "../../support/test.js";

test("an area is drawn, pushed and made larger", async ({ page, signedIn: _ }) => {
  await page.goto(`/manager/opus_hotarea_edit/${idOf(await blank(page, "画热区"))}`);
  const drawing = page.locator("[data-drawing] svg");
  await drawing.scrollIntoViewIfNeeded();
  const numbers = () => page.locator(".four input").evaluateAll((all) => all.map((field) => Number((field as HTMLInputElement).value)));
  const drag = async (from: [number, number], to: [number, number]) => {
    const box = await still(drawing);
    await page.mouse.move(box.x + box.width * from[0], box.y + box.height * from[1]);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * to[0], box.y + box.height * to[1], { steps: 3 });
    await page.mouse.up();
  };
  const near = async (expected: number[]) => {
    await expect(async () => {
      const found = await numbers();
      for (const [index, number] of expected.entries()) expect(Math.abs((found[index] ?? 0) - number), `${found}`).toBeLessThanOrEqual(4);
    }).toPass();
  };
  await drag([0.1, 0.1], [0.4, 0.3]);
  await near([100, 100, 300, 200]);
  await drag([0.2, 0.2], [0.3, 0.4]);
  await near([200, 300, 300, 200]);
  await drag([0.5, 0.5], [0.7, 0.6]);
  await near([200, 300, 500, 300]);
  await drag([0.3, 0.4], [1.4, 0.4]);
  await near([500, 300, 500, 300]);
  // a second rectangle of the same area; the first stays as it is, and is taken up again by touching it
  const second = page.getByLabel("第 2 块：左,上,宽,高");
  await second.focus();
  await drag([0.1, 0.7], [0.3, 0.9]);
  await expect(second).toHaveValue(/^(9|10)\d,(69|70)\d,(19|20)\d,(19|20)\d$/);
  await near([500, 300, 500, 300]);
  await drag([0.7, 0.4], [0.6, 0.4]);
  await near([400, 300, 500, 300]);
});
