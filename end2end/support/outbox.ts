import { run } from "./server.js";

/** The newest message to a contact, as the operator reads it. */
export async function messageTo(contact: string, data = process.env.END2END_DATA ?? ""): Promise<string> {
  const outbox = await run(data, "outbox");
  const messages = outbox.split(/\n(?=\d{4}-)/).filter((message) => message.includes(` to ${contact} (`));
  const newest = messages.at(-1);
  if (!newest) throw new Error(`nothing was sent to ${contact}:\n${outbox}`);
  return newest;
}

/** The newest code that was sent to a contact. */
export async function codeTo(contact: string, data?: string): Promise<string> {
  const code = /验证码是 (\d{6})/.exec(await messageTo(contact, data))?.[1];
  if (!code) throw new Error(`no code was sent to ${contact}`);
  return code;
}
