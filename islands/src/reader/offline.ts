// Saving a whole volume on this device, and deleting it again. Only on a reader's own wish.
import { isIn, scopeOf } from "./shelf.js";

interface List {
  /** Whether everything is there to be saved. */
  ready: boolean;
  /** Bytes of everything. */
  bytes: number;
  addresses: string[];
}

/** Files that come at once. */
const AT_ONCE = 3;
/** The widths that pages are drawn in. */
const WIDTHS = [360, 540, 720, 1080, 1440];

const size = (bytes: number) => (bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} KB` : `${(bytes / 1e6).toFixed(1)} MB`);

/** What this screen needs. */
function width(): number {
  const pixels = Math.min(screen.width, 1120) * devicePixelRatio;
  return WIDTHS.find((width) => width >= pixels) ?? 1440;
}

/** Shows in a box what can be done: saving with its size, or deleting what was saved. The cache is named by whoever calls. */
export async function show(box: HTMLElement, home: string, cache: string): Promise<void> {
  if (await caches.has(cache)) {
    offer(box, "已离线保存，没有网络也能读。", [["删除离线内容", async () => {
      await drop(home, cache);
      box.textContent = "离线内容已删除。";
    }]]);
    return;
  }
  box.textContent = "正在看有多大…";
  const answer = await fetch(`${home}/offline?width=${width()}`).catch(() => undefined);
  const list = answer?.ok ? ((await answer.json()) as List) : undefined;
  if (!list) box.textContent = "现在不能离线保存，请检查网络后再试。";
  else if (!list.ready) box.textContent = "书页还在准备，请过几分钟再试。";
  else {
    offer(box, `全部约 ${size(list.bytes)}，保存在这台设备上。`, [
      ["保存", () => save(box, home, cache, list)],
      ["不用了", () => { box.textContent = ""; }],
    ]);
  }
}

function offer(box: HTMLElement, words: string, ways: readonly (readonly [string, () => Promise<void> | void])[]): void {
  const said = document.createElement("span");
  said.textContent = words;
  const buttons = ways.map(([name, act]) => {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "link", textContent: name });
    button.addEventListener("click", () => { void act(); });
    return button;
  });
  box.replaceChildren(said, ...buttons.flatMap((button) => [" ", button]));
}

async function save(box: HTMLElement, home: string, name: string, list: List): Promise<void> {
  const cache = await caches.open(name);
  try {
    await navigator.serviceWorker.register("/read/worker.js", { scope: scopeOf(home) });
    // styles and scripts of this very page, with what they import
    const parts = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
    const assets = parts.filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith("/assets/"));
    const waiting = [...list.addresses, ...new Set(assets.map(({ pathname }) => pathname))];
    const all = waiting.length;
    const carry = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const answer = await fetch(next);
        if (!answer.ok) throw new Error(`${next}: ${answer.status}`);
        await cache.put(next.replace(/\?.*$/, ""), answer);
        box.textContent = `正在保存 ${Math.round(((all - waiting.length) / all) * 100)}%`;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, carry));
    await show(box, home, name);
  } catch {
    await drop(home, name);
    box.textContent = "没有存完，请检查网络和剩余空间后再试。";
  }
}

/** Deletes a volume; with the last one of its part of the site the worker goes, too. */
async function drop(home: string, cache: string): Promise<void> {
  await caches.delete(cache);
  const scope = scopeOf(home);
  if ((await caches.keys()).some((name) => isIn(name, scope))) return;
  const registration = await navigator.serviceWorker.getRegistration(scope);
  await registration?.unregister();
}
