// A provider of company accounts of our own for the journeys: OpenID Connect as far as the code flow with PKCE needs it.
import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

const CLIENT = { id: "bindery-end2end", secret: "a-secret-of-the-journeys" };
const KEY = "1";

export interface Oidc {
  /** What the program is started with. */
  environment: Record<string, string>;
  stop(): void;
}

/** Escaped for a quoted attribute. */
function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** The page on which somebody says who they are, by a password or by more. */
function door(asked: URLSearchParams): string {
  const hidden = [...asked].map(([name, value]) => `<input type="hidden" name="${attribute(name)}" value="${attribute(value)}">`);
  return `<!DOCTYPE html><html lang="zh-CN"><title>公司登录</title><link rel="icon" href="data:,"><form action="/agreed">
    ${hidden.join("")}<label>工号 <input name="person"></label>
    <button name="by" value="pwd">用密码登录</button><button name="by" value="mfa">用密码和手机登录</button>
    <button name="by" value="">拒绝</button></form>`;
}

/** Starts it on a free port. A person is known by its number. */
export async function startOidc(): Promise<Oidc> {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const codes = new Map<string, URLSearchParams>();
  let base = "";

  const token = (agreed: URLSearchParams) => {
    const now = Math.floor(Date.now() / 1000);
    const person = agreed.get("person") ?? "";
    const claims = { iss: base, aud: CLIENT.id, sub: `u-${person}`, name: person, iat: now, exp: now + 300, nonce: agreed.get("nonce"), amr: [agreed.get("by")] };
    const words = [{ alg: "RS256", kid: KEY }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    return `${words}.${sign("sha256", Buffer.from(words), privateKey).toString("base64url")}`;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams: asked } = new URL(request.url ?? "/", "http://oidc.example");
    const json = (body: unknown, status = 200) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (pathname === "/.well-known/openid-configuration") {
      json({
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        jwks_uri: `${base}/keys`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
        code_challenge_methods_supported: ["S256"],
      });
    } else if (pathname === "/keys") {
      json({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: KEY, use: "sig", alg: "RS256" }] });
    } else if (pathname === "/authorize") {
      response.setHeader("content-type", "text/html; charset=utf-8").end(door(asked));
    } else if (pathname === "/agreed") {
      const back = new URL(asked.get("redirect_uri") ?? "");
      if (asked.get("by")) {
        const code = randomUUID();
        codes.set(code, asked);
        back.searchParams.set("code", code);
      } else {
        back.searchParams.set("error", "access_denied");
      }
      back.searchParams.set("state", asked.get("state") ?? "");
      response.writeHead(302, { location: back.href }).end();
    } else if (pathname === "/token") {
      const form = new URLSearchParams(await text(request));
      const code = form.get("code") ?? "";
      const agreed = codes.get(code);
      codes.delete(code);
      const challenge = createHash("sha256").update(form.get("code_verifier") ?? "").digest("base64url");
      const isClient = request.headers.authorization === `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString("base64")}`;
      if (!isClient || agreed?.get("code_challenge") !== challenge) json({ error: isClient ? "invalid_grant" : "invalid_client" }, isClient ? 400 : 401);
      else json({ access_token: randomUUID(), token_type: "Bearer", id_token: token(agreed) });
    } else {
      response.writeHead(404).end();
    }
  };

  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    environment: {
      BINDERY_OIDC_ISSUER: base,
      BINDERY_OIDC_CLIENT_ID: CLIENT.id,
      BINDERY_OIDC_CLIENT_SECRET: CLIENT.secret,
      BINDERY_OIDC_MEMBERS: "1",
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
