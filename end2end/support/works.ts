import type { Page } from "@playwright/test";
import { MakePage } from "../pages/MakePage.js";
import { ReaderPage } from "../pages/ReaderPage.js";

/** A blank work that everybody may read, and where. */
export async function sharedWork(page: Page, title: string): Promise<string> {
  const make = new MakePage(page);
  await make.open();
  await make.choose("方形画册");
  await make.title.fill(title);
  await make.blank.click();
  return new ReaderPage(page).publish();
}
