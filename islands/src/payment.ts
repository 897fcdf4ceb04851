// A payment that waits: the page is loaded again when the server says that something has come of it. Without this script
// the button that asks does the same.
import { Waiting } from "./page/waiting.js";

const line = document.querySelector<HTMLElement>("[data-follow]");
if (line?.dataset.follow) {
  const waiting = new Waiting(line.dataset.follow, () => location.replace(location.pathname));
  waiting.start();
  line.textContent = "正在等待付款，收到后这一页会自动更新。";
  // back from the provider's page: it is asked once, without anybody pressing the button
  const ask = document.querySelector<HTMLFormElement>("form[data-ask]");
  if (ask) void fetch(ask.action, { method: "POST", redirect: "manual" }).catch(() => undefined);
  addEventListener("pagehide", () => waiting.stop());
  addEventListener("pageshow", ({ persisted }) => persisted && waiting.start());
}
