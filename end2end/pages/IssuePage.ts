import type { Locator, Page } from "@playwright/test";

/** A page of a newspaper or a magazine as it is read. */
export class IssuePage {
  readonly picture: Locator;
  readonly beside: Locator;
  readonly areas: Locator;
  readonly heading: Locator;
  /** The page as large as somebody likes. */
  readonly large: Locator;
  readonly pane: Locator;
  readonly saved: Locator;

  constructor(readonly page: Page) {
    this.picture = page.locator(".leaf .page:not(.beside) img").first();
    this.beside = page.locator(".leaf .page.beside img");
    this.areas = page.locator(".leaf .page:not(.beside) .hot a");
    this.heading = page.getByRole("heading", { level: 1 });
    this.large = page.getByRole("dialog");
    this.pane = this.large.getByRole("region", { name: "放大的页面" });
    this.saved = page.locator(".offline");
  }

  /** How wide the page is shown in the pane, in parts of that. */
  zoom(): Promise<number> {
    return this.pane.evaluate((pane) => (pane.firstElementChild as HTMLElement).getBoundingClientRect().width / pane.clientWidth);
  }

  /** What is marked while it is read aloud. */
  spoken(): Promise<string> {
    return this.page.evaluate(() => [...(CSS.highlights.get("spoken") ?? [])].map((range) => (range as Range).toString()).join(""));
  }
}

/** The newspaper of the demo, its newest issue. */
export async function newestPaper(page: Page): Promise<string> {
  const html = await (await page.request.get("/epaper/longjing")).text();
  return /href="(\/epaper\/longjing\/[\d-]+)\/1"/.exec(html)?.[1] ?? "";
}
