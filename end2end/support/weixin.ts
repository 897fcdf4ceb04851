// A weixin of our own for the journeys: the page on which a person agrees, and the two questions that the program asks.
import { randomUUID } from "node:crypto";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";

const APP = { id: "wx-end2end", secret: "a-secret-of-the-journeys" };

export interface Weixin {
  /** What the program is started with. */
  environment: Record<string, string>;
  stop(): void;
}

/** Escaped for a quoted attribute. */
function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** The page on which somebody says who they are, and agrees or not. */
function agreement(asked: URLSearchParams): string {
  const hidden = ["redirect_uri", "state"].map((name) => `<input type="hidden" name="${name}" value="${attribute(asked.get(name) ?? "")}">`);
  return `<!DOCTYPE html><html lang="zh-CN"><title>微信</title><link rel="icon" href="data:,"><form action="/agreed">
    ${hidden.join("")}<label>昵称 <input name="nickname"></label>
    <button name="agree" value="yes">同意</button><button name="agree" value="no">拒绝</button></form>`;
}

/** Starts it on a free port. A person is known by its nickname. */
export async function startWeixin(): Promise<Weixin> {
  const codes = new Map<string, string>();
  const tokens = new Map<string, string>();
  const openid = (nickname: string) => `o${Buffer.from(nickname).toString("hex")}`.slice(0, 60);

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams: asked } = new URL(request.url ?? "/", "http://weixin.example");
    const json = (body: unknown) => response.setHeader("content-type", "text/plain").end(JSON.stringify(body));
    if (pathname === "/connect/qrconnect") {
      response.setHeader("content-type", "text/html; charset=utf-8").end(agreement(asked));
    } else if (pathname === "/agreed") {
      const back = new URL(asked.get("redirect_uri") ?? "");
      if (asked.get("agree") === "yes") {
        const code = randomUUID();
        codes.set(code, asked.get("nickname") ?? "");
        back.searchParams.set("code", code);
      }
      back.searchParams.set("state", asked.get("state") ?? "");
      response.writeHead(302, { location: back.href }).end();
    } else if (pathname === "/sns/oauth2/access_token") {
      const code = asked.get("code") ?? "";
      const nickname = codes.get(code);
      codes.delete(code);
      if (nickname === undefined || asked.get("appid") !== APP.id || asked.get("secret") !== APP.secret) {
        json({ errcode: 40029, errmsg: "invalid code" });
        return;
      }
      const token = randomUUID();
      tokens.set(token, nickname);
      json({ access_token: token, expires_in: 7200, openid: openid(nickname), scope: "snsapi_login" });
    } else if (pathname === "/sns/userinfo") {
      const nickname = tokens.get(asked.get("access_token") ?? "") ?? "";
      json({ openid: openid(nickname), nickname, headimgurl: "" });
    } else {
      response.writeHead(404).end();
    }
  };

  const server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    environment: {
      BINDERY_WEIXIN_APP_ID: APP.id,
      BINDERY_WEIXIN_SECRET: APP.secret,
      BINDERY_WEIXIN_OPEN_URL: base,
      BINDERY_WEIXIN_API_URL: base,
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
