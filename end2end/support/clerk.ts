// Somebody in the back office: let in on the command line, signed in with a password and the codes of a device.
import { createHmac, randomUUID } from "node:crypto";
import { type Page, expect } from "@playwright/test";
import { run } from "./server.js";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const STEP_MS = 30_000;

/** The code of a base32 secret, so many steps from now (RFC 6238). */
function code(secret: string, steps: number): string {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const moment = Buffer.alloc(8);
  moment.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + steps));
  const hash = createHmac("sha1", key).update(moment).digest();
  const at = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(at) & 0x7fff_ffff) % 1_000_000).padStart(6, "0");
}

/** What shows the codes. Each counts once, so each is of a later half minute, as far as the server takes it. */
export class Device {
  /** The first is of the half minute that has just gone by. */
  private next = -1;
  constructor(private readonly secret: string) {}
  code(): string {
    const shown = code(this.secret, this.next);
    this.next += 1;
    return shown;
  }
}

/** Signs somebody with these roles in on `page`: at most three codes, the sign-in's among them. */
export async function signInClerk(page: Page, data: string, ...roles: string[]): Promise<Device> {
  const name = `clerk-${randomUUID().slice(0, 8)}`;
  const password = "quiet-harbour-lantern-42";
  await run(data, "staff", "add", name, "--password", password, ...roles.flatMap((role) => ["--role", role]));
  await page.goto("/staff");
  await expect(page).toHaveURL("/staff/login");
  await page.getByLabel("登录名").fill(name);
  await page.getByLabel("密码").fill(password);
  await page.getByRole("button", { name: "下一步" }).click();
  await expect(page.getByRole("img", { name: "给验证器扫的二维码" })).toBeVisible();
  const device = new Device(await page.locator(".hint .num").innerText());
  await page.getByLabel("动态验证码").fill(device.code());
  await page.getByRole("button", { name: "登录" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "待办" })).toBeVisible();
  return device;
}
