import { startOidc } from "./oidc.js";
import { start } from "./server.js";
import { startWays } from "./ways.js";
import { startWeixin } from "./weixin.js";

/** One server for all tests, beside a weixin, company accounts and payment providers of its own; every test has its own member. */
export default async function setUp(): Promise<() => Promise<void>> {
  const weixin = await startWeixin();
  const oidc = await startOidc();
  const ways = await startWays();
  // the server and its commands inherit it
  Object.assign(process.env, weixin.environment, oidc.environment);
  const server = await start();
  process.env.END2END_BASE = server.base;
  process.env.END2END_DATA = server.data;
  return async () => {
    await server.stop();
    weixin.stop();
    oidc.stop();
    ways.stop();
  };
}
