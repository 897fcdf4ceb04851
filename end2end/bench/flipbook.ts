// The same pictures in StPageFlip, as its own description says it: a page with the script and the list of pictures.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";

export interface Picture {
  type: string;
  bytes: Buffer;
}

export interface Flipbook {
  url: string;
  stop(): void;
}

const SCRIPT = fileURLToPath(new URL("../node_modules/page-flip/dist/js/page-flip.browser.js", import.meta.url));

/** Serves a book of square pages on a free port; text is compressed, as ours is. */
export async function flipbook(pictures: Picture[]): Promise<Flipbook> {
  const names = pictures.map((_, place) => `page/${place + 1}`);
  const html = `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>书</title><link rel="icon" href="data:,"><div id="book"></div><script src="page-flip.browser.js"></script><script>
    new St.PageFlip(document.getElementById("book"), { width: 340, height: 340 }).loadFromImages(${JSON.stringify(names)});</script>`;
  const texts = new Map([
    ["/", { type: "text/html; charset=utf-8", bytes: brotliCompressSync(html) }],
    ["/page-flip.browser.js", { type: "text/javascript", bytes: brotliCompressSync(await readFile(SCRIPT)) }],
  ]);
  const server = createServer(({ url = "" }, response) => {
    const text = texts.get(url);
    const picture = pictures[Number(/^\/page\/(\d+)$/.exec(url)?.[1]) - 1];
    if (text) response.writeHead(200, { "content-type": text.type, "content-encoding": "br", "content-length": text.bytes.length }).end(text.bytes);
    else if (picture) response.writeHead(200, { "content-type": picture.type, "content-length": picture.bytes.length }).end(picture.bytes);
    else response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
