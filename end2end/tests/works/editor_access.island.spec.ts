// The editor's screen for whoever can't see it well, or presses with a thumb: axe finds nothing in any of its states, on a phone and
// on a desk, light and dark; what it leaves to choice (WCAG 2.2, 2.5.8 and 2.5.3) is looked for, too.
import type { Page } from "@playwright/test";
import { EditorPage } from "../../pages/EditorPage.js";
import { faults } from "../../support/axe.js";
import { album, idOf } from "../../support/making.js";
import { expect, test } from "../../support/test.js";

const ALSO = ["target-size", "label-content-name-mismatch", "css-orientation-lock", "hidden-content"];

/** Goes through the screen's states; `look` is called in each, with its name. */
async function states(editor: EditorPage, isPhone: boolean, look: (state: string) => Promise<void>): Promise<void> {
  const { page } = editor;
  await look("a page");
  await editor.photos.first().click();
  await look("a photo is selected");
  if (isPhone) await editor.panel("属性").click();
  await expect(page.getByRole("button", { name: "裁切", exact: true })).toBeVisible();
  await look("a photo's panel");
  await page.getByRole("button", { name: "裁切", exact: true }).click();
  await look("a crop");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "换一换" })).toBeVisible();
  await look("the page's panel");
  await page.getByRole("button", { name: "换一换" }).click();
  await expect(page.getByRole("group", { name: "其他版式" }).getByRole("button").first()).toBeVisible();
  await look("other layouts");
  await page.getByRole("button", { name: "加矩形" }).click();
  await expect(page.getByRole("button", { name: "不填色" })).toBeVisible();
  await look("a shape's panel");
  await page.keyboard.press("Control+a");
  await expect(page.getByRole("heading", { name: /^已选中 \d+ 件/ })).toBeVisible();
  await look("several");
  await editor.panel("照片").click();
  await expect(page.getByRole("searchbox")).toBeVisible();
  await look("the photos");
  await editor.panel("检查").click();
  await expect(page.getByRole("heading", { name: "印前检查" })).toBeVisible();
  await look("the findings");
  await page.getByRole("button", { name: "总览" }).click();
  await expect(page.getByRole("region", { name: "总览" })).toBeVisible();
  await look("the overview");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "加文字" }).click();
  await expect(editor.field).toBeFocused();
  await look("a text is written");
}

/** What axe finds in all states, each fault once. */
async function all(page: Page, isPhone: boolean): Promise<string[]> {
  const editor = new EditorPage(page, idOf(await album(page, "人人能用", 4)));
  const found = new Map<string, string>();
  const { pages } = await editor.document();
  await editor.open(pages.findIndex(({ elements }) => elements.some(({ kind }) => kind === "photo")) + 1);
  await states(editor, isPhone, async (state) => {
    for (const fault of await faults(page, { also: ALSO })) if (!found.has(fault)) found.set(fault, `${state}: ${fault}`);
  });
  return [...found.values()];
}

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test.describe("on a phone", () => {
      test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

      test("axe finds nothing in any state", async ({ page, signedIn: _ }) => {
        test.slow();
        expect(await all(page, true)).toEqual([]);
      });
    });

    test("axe finds nothing in any state on a desk", async ({ page, signedIn: _ }) => {
      test.slow();
      expect(await all(page, false)).toEqual([]);
    });
  });
}
