// A WeChat Pay of our own for the journeys: orders, questions and notifications.
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { keyFile, nonce, seal, sign } from "./signing.js";

const MCHID = "1900000001";
const APPID = "wx0123456789abcdef";
const SERIAL = "PUB_KEY_ID_0119000000012026112100000000000001";
const API_KEY = "0123456789abcdef0123456789ABCDEF";

export interface Provider {
  /** What the program is started with. */
  environment: Record<string, string>;
  base: string;
  stop(): void;
}

function signed(body: string): Record<string, string> {
  const [timestamp, word] = [String(Math.floor(Date.now() / 1000)), nonce()];
  return {
    "wechatpay-timestamp": timestamp,
    "wechatpay-nonce": word,
    "wechatpay-serial": SERIAL,
    "wechatpay-signature": sign("wechatpay", `${timestamp}\n${word}\n${body}\n`),
  };
}

/** Starts it on a free port. `POST /scan/{payment}` pays, and notifies where `?notify=` names a server. */
export async function startWechatpay(): Promise<Provider> {
  const trades = new Map<string, { total: number; paid: boolean }>();
  const transaction = (id: string) => {
    const trade = trades.get(id) ?? { total: 0, paid: false };
    const paid = { trade_state: "SUCCESS", transaction_id: `42${id}` };
    return {
      appid: APPID,
      mchid: MCHID,
      out_trade_no: id,
      amount: { total: trade.total, currency: "CNY" },
      ...(trade.paid ? paid : { trade_state: "NOTPAY" }),
    };
  };
  const notify = async (id: string, base: string) => {
    const word = "0123456789ab";
    const resource = {
      algorithm: "AEAD_AES_256_GCM",
      ciphertext: seal(API_KEY, word, "transaction", JSON.stringify(transaction(id))),
      associated_data: "transaction",
      nonce: word,
    };
    const body = JSON.stringify({ id: "EV-1", event_type: "TRANSACTION.SUCCESS", resource });
    await fetch(`${base}/notify/wechatpay`, { method: "POST", headers: signed(body), body });
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://wechatpay.example");
    const say = (status: number, body: unknown) => {
      const written = status === 204 ? "" : JSON.stringify(body);
      response.writeHead(status, { "content-type": "application/json", ...signed(written) }).end(written);
    };
    const [, id = ""] = /^\/v3\/pay\/transactions\/out-trade-no\/(\w+)/.exec(pathname) ?? [];
    if (pathname === "/v3/pay/transactions/native") {
      const asked = JSON.parse(await text(request)) as { out_trade_no: string; amount: { total: number } };
      trades.set(asked.out_trade_no, { total: asked.amount.total, paid: false });
      say(200, { code_url: `weixin://wxpay/bizpayurl?pr=${asked.out_trade_no.slice(0, 9)}` });
    } else if (pathname.startsWith("/scan/")) {
      const scanned = pathname.slice("/scan/".length);
      const trade = trades.get(scanned);
      if (trade) trade.paid = true;
      const base = searchParams.get("notify");
      if (base) await notify(scanned, base);
      response.end();
    } else if (id && pathname.endsWith("/close")) {
      say(204, undefined);
    } else if (id && trades.has(id)) {
      say(200, transaction(id));
    } else {
      say(404, { code: "ORDER_NOT_EXIST", message: "订单不存在" });
    }
  };

  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    environment: {
      BINDERY_WECHATPAY_MCHID: MCHID,
      BINDERY_WECHATPAY_APPID: APPID,
      BINDERY_WECHATPAY_SERIAL: "5157F09EFDC096DE15EBE81A47057A7232F1B8E1",
      BINDERY_WECHATPAY_KEY_FILE: keyFile("merchant"),
      BINDERY_WECHATPAY_API_KEY: API_KEY,
      BINDERY_WECHATPAY_PLATFORM_SERIAL: SERIAL,
      BINDERY_WECHATPAY_PLATFORM_KEY_FILE: keyFile("wechatpay.pub"),
      BINDERY_WECHATPAY_BASE_URL: base,
    },
    base,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
