// Buying a package and redeeming a code: what was paid for or given is in the study.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Shell } from "../../pages/Shell.js";
import { StudyPage } from "../../pages/StudyPage.js";
import { run } from "../../support/server.js";
import { expect, test } from "../../support/test.js";

const data = () => process.env.END2END_DATA ?? "";

/** A package of the demo member's, by its name. */
async function packageNamed(title: string): Promise<string> {
  const packages = JSON.parse(await run(data(), "package", "list", "--json")) as { id: string; title: string }[];
  return packages.find((known) => known.title === title)?.id ?? "";
}

/** Some codes for a package, as the operator makes them. */
async function codesFor(id: string, count: number): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "codes-"));
  const file = join(folder, "codes.csv");
  await run(data(), "code", "make", id, "--count", `${count}`, "--csv", file);
  const rows = (await readFile(file, "utf8")).split("\r\n").slice(1);
  await rm(folder, { recursive: true });
  return rows.map((row) => row.split(",")[0] ?? "").filter(Boolean);
}

test.describe("with money", () => {
  test.use({ balance: "60" });

  test("a package that is bought is in the study", async ({ page, signedIn: _ }) => {
    await page.goto(`/manager/package/${await packageNamed("山野与远方")}`);
    await page.getByRole("button", { name: /^购买/ }).click();
    // with a double click it is paid once
    await page.getByRole("button", { name: "用余额支付" }).dblclick();
    await expect(page.getByRole("heading", { name: "已购买" })).toBeVisible();
    await expect(new Shell(page).money).toHaveText("¥12.00");
    await page.getByRole("link", { name: "去书房阅读" }).click();
    const study = new StudyPage(page);
    await expect(study.shelf("山野与远方")).toContainText("山海之间");
    await expect(study.shelf("山野与远方")).toContainText("可以读到");
  });
});

test("a code that is mistyped is told, and the right one opens what it is for", async ({ page, signedIn: _ }) => {
  const [code = ""] = await codesFor(await packageNamed("家里的书"), 1);
  const study = new StudyPage(page);
  await study.open();
  await study.enter(`${code.slice(0, 18)}${code.endsWith("A") ? "B" : "A"}`);
  await expect(study.wrong).toContainText("有字符输错了");
  await expect(study.code, "what was typed is still there").toHaveValue(/^[A-Z2-9-]{19}$/);
  await study.enter(code.toLowerCase().replaceAll("-", " "));
  await expect(study.said).toContainText("兑换成功");
  await expect(study.shelf("家里的书")).toContainText("长期阅读");
  // pressed again later, its owner is told what became of it
  await study.enter(code);
  await expect(study.said).toContainText("您已经兑换过");
});
