// Volumes that somebody has saved to read without a connection: answered from the device where the network does not. What is
// saved is written and deleted by the page (reader/offline.ts); on every contact the server is asked whether the volume may
// still be read, and one that may not is deleted. Its scopes are the places where something is read, each for itself.
import { cacheOf } from "./reader/cache.js";
import { homeOf, isPicture } from "./reader/shelf.js";

interface Fetching extends Event {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
  waitUntil(work: Promise<unknown>): void;
}

const worker = self as unknown as { skipWaiting(): Promise<void>; clients: { claim(): Promise<void> } };
/** The widths of pictures, the largest first: any that was saved does for another. */
const WIDTHS = [2048, 1440, 1280, 1080, 720, 540, 360, 320];

addEventListener("install", (event) => (event as Fetching).waitUntil(worker.skipWaiting()));
addEventListener("activate", (event) => (event as Fetching).waitUntil(worker.clients.claim()));
addEventListener("fetch", (event) => {
  const { request } = event as Fetching;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || request.headers.has("range")) return;
  const home = homeOf(pathname);
  if (home) (event as Fetching).respondWith(page(event as Fetching, home, pathname));
  else if (pathname.startsWith("/assets/") || isPicture(pathname)) (event as Fetching).respondWith(piece(request, pathname));
});

/** A page of a volume: the server's, or the one that was saved. */
async function page(event: Fetching, home: string, path: string): Promise<Response> {
  try {
    const answer = await fetch(event.request);
    event.waitUntil(check(home));
    return answer;
  } catch {
    return (await caches.match(path, { ignoreSearch: true, ignoreVary: true })) ?? Response.error();
  }
}

/** A picture, a style or a script: never changes under its address. */
async function piece(request: Request, path: string): Promise<Response> {
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept) return kept;
  try {
    return await fetch(request);
  } catch {
    const start = path.replace(/\d+$/, "");
    for (const width of WIDTHS) {
      const other = await caches.match(`${start}${width}`);
      if (other) return other;
    }
    return Response.error();
  }
}

/** Deletes a volume that may no longer be read; a server that does not answer decides nothing. */
async function check(home: string): Promise<void> {
  if (!(await caches.has(cacheOf(home)))) return;
  const address = `${home}/offline`;
  const answer = await fetch(address).catch(() => undefined);
  if (!answer || answer.status >= 500 || answer.status === 429) return;
  const now = answer.ok ? ((await answer.json()) as { key: string }) : undefined;
  const kept = await caches.match(address, { cacheName: cacheOf(home) });
  const then = (await kept?.json()) as { key: string } | undefined;
  // what is just being saved may not have its list yet
  if (now && !then) return;
  if (now?.key !== then?.key) await caches.delete(cacheOf(home));
}
