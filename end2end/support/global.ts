import { start } from "./server.js";

/** One server for all tests; every test has its own member. */
export default async function setUp(): Promise<() => Promise<void>> {
  const server = await start();
  process.env.END2END_BASE = server.base;
  process.env.END2END_DATA = server.data;
  return () => server.stop();
}
