// An Alipay of our own for the journeys: the page on which a person pays, and the gateway's answers.
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { keyFile, sign } from "./signing.js";
import type { Provider } from "./wechatpay.js";

const APP_ID = "2021000000000001";
const SELLER_ID = "2088000000000001";

interface Content {
  out_trade_no: string;
  total_amount: string;
}

/** Starts it on a free port. The page tells the program nothing by itself: the program asks when the member comes back. */
export async function startAlipay(): Promise<Provider> {
  const trades = new Map<string, { amount: string; paid: boolean }>();

  const page = (asked: URLSearchParams) => {
    const content = JSON.parse(asked.get("biz_content") ?? "{}") as Content;
    const known = trades.get(content.out_trade_no);
    trades.set(content.out_trade_no, known ?? { amount: content.total_amount, paid: false });
    const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${value}">`;
    return `<!DOCTYPE html><html lang="zh-CN"><title>支付宝</title><link rel="icon" href="data:,"><form action="/paid">
      ${hidden("trade", content.out_trade_no)}${hidden("back", asked.get("return_url") ?? "")}
      <p>${content.total_amount} 元</p><button name="pay" value="yes">确认付款</button>
      <button name="pay" value="no">不付了</button></form>`;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://alipay.example");
    if (pathname === "/paid") {
      const trade = trades.get(searchParams.get("trade") ?? "");
      if (trade && searchParams.get("pay") === "yes") trade.paid = true;
      response.writeHead(302, { location: searchParams.get("back") ?? "" }).end();
    } else if (request.method === "GET") {
      response.setHeader("content-type", "text/html; charset=utf-8").end(page(searchParams));
    } else {
      const { out_trade_no: id } = JSON.parse(new URLSearchParams(await text(request)).get("biz_content") ?? "{}") as Content;
      const trade = trades.get(id);
      const known = {
        code: "10000",
        msg: "Success",
        out_trade_no: id,
        trade_no: `2026${id}`,
        trade_status: trade?.paid ? "TRADE_SUCCESS" : "WAIT_BUYER_PAY",
        total_amount: trade?.amount,
      };
      const node = JSON.stringify(trade ? known : { code: "40004", msg: "Business Failed", sub_code: "ACQ.TRADE_NOT_EXIST" });
      const name = (searchParams.get("method") ?? "").replaceAll(".", "_");
      response.end(`{"${name}_response":${node},"sign":"${sign("alipay", node)}"}`);
    }
  };

  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    environment: {
      BINDERY_ALIPAY_APP_ID: APP_ID,
      BINDERY_ALIPAY_SELLER_ID: SELLER_ID,
      BINDERY_ALIPAY_KEY_FILE: keyFile("merchant"),
      BINDERY_ALIPAY_PUBLIC_KEY_FILE: keyFile("alipay.pub"),
      BINDERY_ALIPAY_GATEWAY_URL: `${base}/gateway.do`,
    },
    base,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
