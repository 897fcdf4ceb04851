// What every test begins with: the server's address, a member of its own, and a page that tolerates no complaint
// in the console.
import { type Page, test as base, expect } from "@playwright/test";
import { type Member, addMember } from "./members.js";
import { forget } from "./old_phone.js";

export interface Options {
  /** What the test's own member has, in yuan. */
  balance: string;
  /** The test itself breaks requests: what the browser says of them is no fault. */
  breaksRequests: boolean;
  /** The browser is one of some years ago. */
  isOld: boolean;
}

interface Fixtures {
  /** A member of this test alone, not signed in. */
  member: Member;
  /** The same member, signed in on `page`, which is still empty. */
  signedIn: Member;
}

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: the tests are started with \`npm test\``);
  return value;
}

export const test = base.extend<Options & Fixtures>({
  balance: ["0", { option: true }],
  breaksRequests: [false, { option: true }],
  isOld: [false, { option: true }],
  baseURL: async ({}, use) => use(setting("END2END_BASE")),
  member: async ({ balance }, use) => use(await addMember(setting("END2END_DATA"), balance)),
  signedIn: async ({ page, member }, use) => {
    await signIn(page, member);
    await use(member);
  },
  page: async ({ page, breaksRequests, isOld }, use) => {
    if (isOld) await page.addInitScript(forget);
    const complaints = listen(page, breaksRequests);
    await use(page);
    expect(complaints, "the console is silent").toEqual([]);
  },
});

export { expect };

/** Signs in as the door's form does; the page stays where it is. */
export async function signIn(page: Page, { account, password }: Member): Promise<void> {
  const answer = await page.request.post("/manager/login", { form: { account, password }, maxRedirects: 0 });
  expect(answer.status(), `${account} is let in`).toBe(303);
}

/** Everything that the browser complains of: errors, breaches of the content policy, pictures that don't come. */
function listen(page: Page, breaksRequests: boolean): string[] {
  const complaints: string[] = [];
  // a page, a form or a call may refuse; the browser notes that as if a file were missing
  const answers = new Set<string>();
  page.on("response", (response) => {
    const kind = response.request().resourceType();
    if (kind === "document" || kind === "xhr" || kind === "fetch") answers.add(response.url());
    if (response.status() >= 500) complaints.push(`${response.status()} ${response.url()}`);
  });
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    const { url } = message.location();
    if (message.text().startsWith("Failed to load resource") && answers.has(url)) return;
    if (breaksRequests && message.text().includes("net::ERR_FAILED")) return;
    complaints.push(`${page.url()}: ${message.text()} (${url})`);
  });
  page.on("pageerror", ({ message }) => {
    // what Chromium says of a way from a page that fades to one that doesn't; nothing is wrong with either
    if (message.includes("ViewTransition opt-in disabled")) return;
    complaints.push(`${page.url()}: ${message}`);
  });
  return complaints;
}
