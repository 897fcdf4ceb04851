import { randomUUID } from "node:crypto";
import { run } from "./server.js";

export interface Member {
  account: string;
  password: string;
}

/** A new member with a balance in yuan, as an operator makes one. */
export async function addMember(data: string, balance = "0"): Promise<Member> {
  const member = { account: `member-${randomUUID().slice(0, 13)}@example.com`, password: "一本好书 2026" };
  const words = ["--account", member.account, "--password", member.password, "--balance", balance];
  await run(data, "member", "add", ...words);
  return member;
}
