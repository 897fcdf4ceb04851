// Ways back that somebody forged, followed by a real browser: whatever stands in the address of the sign-in page, a
// browser that signs in there stays on this site. The forms are sent by a script, so this needs JavaScript.
import type { Page } from "@playwright/test";
import type { Member } from "../../support/members.js";
import { expect, signIn, test } from "../../support/test.js";

const EVIL = "evil.example";

/** Paths that a browser might read as another site's address. */
const PATHS = [
  `//${EVIL}`,
  `///${EVIL}`,
  `////${EVIL}/a`,
  `/\\${EVIL}`,
  `\\/${EVIL}`,
  `\\\\${EVIL}`,
  `/\\/${EVIL}`,
  `//\\${EVIL}`,
  `/\t/${EVIL}`,
  `/\n/${EVIL}`,
  `/\r/${EVIL}`,
  `/\r\n/${EVIL}`,
  `\t//${EVIL}`,
  `\n//${EVIL}`,
  ` //${EVIL}`,
  `/ /${EVIL}`,
  `/\u0000/${EVIL}`,
  `\u0000//${EVIL}`,
  `/\u000b/${EVIL}`,
  `/\u00a0/${EVIL}`,
  `/\u2028/${EVIL}`,
  `/\u200b/${EVIL}`,
  `\ufeff//${EVIL}`,
  `https://${EVIL}`,
  `HTTPS://${EVIL}`,
  `http:${EVIL}`,
  `http:/${EVIL}`,
  `https:\\\\${EVIL}`,
  `ht\ttps://${EVIL}`,
  `://${EVIL}`,
  `:${EVIL}`,
  `@${EVIL}`,
  `.${EVIL}`,
  `:80@${EVIL}`,
  `/@${EVIL}`,
  `//@${EVIL}`,
  `//user@${EVIL}`,
  `//127.0.0.1@${EVIL}`,
  `//127.0.0.1:80@${EVIL}/`,
  `//127.0.0.1%40${EVIL}`,
  `//${EVIL}:443/`,
  `//${EVIL}#@127.0.0.1`,
  `//${EVIL}?@127.0.0.1`,
  `//[::ffff:1.2.3.4]/`,
  "//1.2.3.4/",
  "//0x01020304/",
  "//16909060/",
  "javascript:document.title='taken'",
  "JavaScript:alert(1)",
  "java\tscript:alert(1)",
  "/javascript:alert(1)",
  "data:text/html,<h1>taken</h1>",
  "data:text/html;base64,PGgxPnRha2VuPC9oMT4=",
  "vbscript:msgbox(1)",
  "file:///etc/passwd",
  "blob:https://evil.example/1",
  "about:blank",
  "mailto:a@evil.example",
  `/%2F${EVIL}`,
  `/%2f%2f${EVIL}`,
  `/%252F%252F${EVIL}`,
  `/%5C${EVIL}`,
  `/%5c%5c${EVIL}`,
  `/%09/${EVIL}`,
  `/%0A/${EVIL}`,
  `/%0d%0aLocation:%20https://${EVIL}`,
  `/a\r\nLocation: https://${EVIL}`,
  `/a\r\nSet-Cookie: bindery=x`,
  `/%00/${EVIL}`,
  `%2F%2F${EVIL}`,
  `%2f/${EVIL}`,
  `/.//${EVIL}`,
  `/..//${EVIL}`,
  `/a/..//${EVIL}`,
  `/./\\${EVIL}`,
  `/%2e%2e//${EVIL}`,
  `/%2e//${EVIL}`,
  `/;//${EVIL}`,
  `/?//${EVIL}`,
  `/?\\\\${EVIL}`,
  `/|//${EVIL}`,
  `/[//${EVIL}]`,
  `/#//${EVIL}`,
  `?//${EVIL}`,
  `#//${EVIL}`,
  `/／${EVIL}`,
  `／／${EVIL}`,
  `/∕${EVIL}`,
  `/⁄${EVIL}`,
  `//${EVIL}。`,
  `//evil。example`,
  `//ｅvil.example`,
  `/＼${EVIL}`,
  `/‮//${EVIL}`,
  `//${EVIL}/manager/order`,
  `manager/order`,
  `..//${EVIL}`,
  "",
  " ",
  "/",
  "/manager/login",
  "/manager/login/",
  "/manager/login?way=weixin",
  "/manager/login/L21hbmFnZXIvbG9naW4=",
  "/manager/login_weixin?code=a&state=b",
  "/manager/logout",
  `/manager//login/${EVIL}`,
  "/uwp/web/doLoginout.jsp",
];

const base64 = (text: string | Buffer) => Buffer.from(text).toString("base64");

/** What follows `/manager/login/`. */
const PAYLOADS = [
  ...PATHS.map((path) => base64(path).replaceAll("/", "%2F")),
  // base64 as it is, as base64url, without padding, encoded once more or twice
  base64(`//${EVIL}/??`),
  Buffer.from(`//${EVIL}/??>`).toString("base64url"),
  base64(`//${EVIL}`).replace(/=+$/, ""),
  base64(base64(`//${EVIL}`)),
  base64(`//${EVIL}/?`).replaceAll("/", "%252F"),
  encodeURIComponent(encodeURIComponent(base64(`//${EVIL}`))),
  `%20${base64(`//${EVIL}`)}`,
  `${base64("/manager/order")}%0d%0aLocation:%20//${EVIL}`,
  `${base64("/manager")}${base64(`//${EVIL}`)}`,
  // a way back in a way back
  base64(`/manager/login/${base64(`//${EVIL}`)}`),
  base64(`/manager/login/../..//${EVIL}`),
  base64(`/manager/./login/${base64(`//${EVIL}`)}`),
  base64(`/manager/%6cogin/${base64(`//${EVIL}`)}`),
  // bytes that are no UTF-8
  base64(Buffer.from([0x2f, 0xc0, 0xaf, 0x65])),
  base64(Buffer.from([0xff, 0xfe, 0x2f, 0x00, 0x2f, 0x00])),
  base64(Buffer.from([0x2f, 0x2f, 0xed, 0xa0, 0x80])),
  // no base64 at all
  `https:%2F%2F${EVIL}`,
  `%2F%2F${EVIL}`,
  `//${EVIL}`,
  `%5C%5C${EVIL}`,
  `x/..//..//${EVIL}`,
  "%00",
  "%FF%FE",
  "%E2%80%AE",
  "****",
  "=".repeat(40),
  base64(`/${"a".repeat(4000)}`),
];

/** Sends the sign-in form to an address, as the form of that page would; answers the status it got. */
async function signInAt(page: Page, address: string, member: Member): Promise<number> {
  await page.waitForLoadState();
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === "POST"),
    page.waitForEvent("load"),
    page.evaluate(
      ({ address, member }) => {
        const form = document.createElement("form");
        form.method = "post";
        form.action = address;
        for (const [name, value] of Object.entries(member)) {
          const field = document.createElement("input");
          [field.name, field.value] = [name, value];
          form.append(field);
        }
        document.body.append(form);
        form.submit();
      },
      { address, member: { account: member.account, password: member.password } },
    ),
  ]);
  return answer.status();
}

/** Sends the form to many addresses and follows the answers, without showing their pages: whether each led on, and to which site. */
async function follow(page: Page, payloads: string[], { account, password }: Member): Promise<{ payload: string; led: boolean; status: number; origin: string }[]> {
  return page.evaluate(
    async ({ payloads, fields }) => {
      const ends = [];
      for (const payload of payloads) {
        // another site's address is no answer: the policy of the page lets nobody go there
        const answer = await fetch(`/manager/login/${payload}`, { method: "POST", body: new URLSearchParams(fields) }).catch(() => undefined);
        ends.push({ payload, led: answer?.redirected ?? false, status: answer?.status ?? 0, origin: answer ? new URL(answer.url).origin : "elsewhere" });
      }
      return ends;
    },
    { payloads, fields: { account, password } },
  );
}

test("no forged way back leads a browser to another site", async ({ page, member, baseURL }) => {
  test.slow();
  expect(new Set(PAYLOADS).size).toBeGreaterThanOrEqual(120);
  const asked: string[] = [];
  await page.route(
    (url) => url.origin !== baseURL && url.protocol !== "data:",
    (route) => {
      asked.push(route.request().url());
      return route.abort();
    },
  );
  await signIn(page, member);
  await page.goto("/manager/userInfo");
  const ends = await follow(page, PAYLOADS, member);
  for (const { payload, led, status, origin } of ends) {
    if (!led) expect([400, 404, 405], payload).toContain(status);
    expect(origin, payload).toBe(baseURL);
  }
  expect(ends.filter(({ led }) => led).length, "nearly all of them signed in and led on").toBeGreaterThanOrEqual(120);
  // some of them as a form that is pressed
  for (const payload of PAYLOADS.slice(0, 12)) {
    expect(await signInAt(page, `/manager/login/${payload}`, member), payload).toBe(303);
    expect(new URL(page.url()).origin, payload).toBe(baseURL);
  }
  expect(asked, "no other site was asked for anything").toEqual([]);
  // the way in still works, and only in the right place
  await signInAt(page, `/manager/login/${base64("/manager/photos?added=3")}`, member);
  await expect(page).toHaveURL("/manager/photos?added=3");
});
