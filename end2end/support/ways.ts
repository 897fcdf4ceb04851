// Every way to pay, configured: providers of our own and a bank that does not exist.
import { startAlipay } from "./alipay.js";
import { freePort } from "./server.js";
import { startWechatpay } from "./wechatpay.js";

export interface Ways {
  stop(): void;
}

const BANK = {
  BINDERY_BANK_HOLDER: "书坊印刷有限公司",
  BINDERY_BANK_NAME: "中国工商银行杭州西湖支行",
  BINDERY_BANK_ACCOUNT: "1202 0000 0000 0000 001",
};

/** Starts the providers; the server that is started next, and its commands, inherit the settings. */
export async function startWays(): Promise<Ways> {
  // providers lead members back to an address that is known before the server starts
  const [wechatpay, alipay, port] = [await startWechatpay(), await startAlipay(), await freePort()];
  Object.assign(process.env, wechatpay.environment, alipay.environment, BANK, {
    END2END_WECHATPAY: wechatpay.base,
    END2END_ADDRESS: `127.0.0.1:${port}`,
    BINDERY_PUBLIC_URL: `http://127.0.0.1:${port}`,
  });
  return {
    stop: () => {
      wechatpay.stop();
      alipay.stop();
    },
  };
}

/** Somebody scans the code of a payment and pays. WeChat Pay tells the server at once, or says nothing. */
export async function scan(payment: string, tells: boolean): Promise<void> {
  const notify = tells ? `?notify=${process.env.END2END_BASE}` : "";
  await fetch(`${process.env.END2END_WECHATPAY}/scan/${payment}${notify}`, { method: "POST" });
}
