// From a file to the server: tus-js-client, loaded with the first file, and what it remembers.
import "../runtime/base.js";
import type { PreviousUpload, Upload, UploadOptions } from "tus-js-client";
import { forms } from "../runtime/http/clients.js";
import { reasonIn } from "../runtime/http/error.js";
import { lazy } from "../runtime/lazy.js";
import { forget, read, write } from "../runtime/storage.js";
import type { UploaderProps } from "../generated/photos.js";
import type { Sending } from "./File.js";
import { head, preview } from "./preview.js";

/** Milliseconds before each further try; a try that moved bytes begins anew. */
const DELAYS = [0, 1000, 2000, 4000, 8000, 15_000, 30_000, 30_000, 60_000, 60_000];

const tus = lazy("tus-js-client", () => import("tus-js-client"));

/** Which other photos a refusal is about: all, those without a place, none. It is asked no second time. */
export type Others = "all" | "new" | "this";

/** Where an upload ended. */
export interface Ends {
  taken(photo: string): void;
  /** A refusal with its sentence; status 0 where nobody answered. */
  failed(status: number, reason: string, others?: Others): void;
}

/** What a refusal says of other photos; nothing where trying again may help. */
export function othersIn(body: string): Others | undefined {
  try {
    const { data } = JSON.parse(body) as { data?: { ends?: unknown } | null };
    const ends = data?.ends;
    return ends === "all" || ends === "new" || ends === "this" ? ends : undefined;
  } catch {
    return undefined;
  }
}

export interface Known {
  known: Record<string, string>;
  /** For these a small copy stands while the original is on its way. */
  coming: Record<string, string>;
  /** Of these an upload waits to be gone on with; `left` lacks their bytes already. */
  open: string[];
  left: number;
}

/** Where photos are sent, and how. */
type Place = Pick<UploaderProps, "address" | "chunk">;

/** Which files are there already, by SHA-256, and how much room is left. */
export async function ask({ address }: Place, hashes: string[]): Promise<Known> {
  const { body } = await forms.post(
    `${address}/known`,
    new URLSearchParams(hashes.map((hash) => ["sha256", hash])),
    { idempotent: true, accept: "application/json" },
  );
  return JSON.parse(body) as Known;
}

/** Milliseconds that a small copy may take on its way. */
const PATIENCE = 60_000;

/** Sends a small copy ahead and answers which photo it is; none where none can be made or it is not wanted. */
export async function sendAhead({ address }: Place, item: Sending): Promise<string> {
  const copy = await preview(item.file);
  if (!copy) return "";
  const body = new FormData();
  body.set("sha256", item.sha256);
  body.set("length", String(item.file.size));
  body.set("filename", item.file.name);
  body.set("head", head(item.file));
  body.set("preview", copy);
  // iOS 15 has no AbortSignal.timeout
  const patience = new AbortController();
  setTimeout(() => patience.abort(), PATIENCE);
  const answer = await fetch(`${address}/preview`, {
    method: "POST",
    body,
    headers: { accept: "application/json" },
    signal: patience.signal,
  });
  if (!answer.ok) return "";
  return ((await answer.json()) as { photo: string }).photo;
}

/** Begins to send a file, or goes on where an earlier page stopped. Answers what can pause and start it again. */
export async function send(place: Place, item: Sending, ends: Ends): Promise<Upload | undefined> {
  const library = await tus();
  if (!library) return undefined;
  const upload = new library.Upload(item.file, options(place, item, ends));
  // the same bytes go on where they were, whatever the file is called
  const before = (await upload.findPreviousUploads())[0];
  if (before) upload.resumeFromPreviousUpload(before);
  return upload;
}

function options({ address, chunk }: Place, item: Sending, ends: Ends): UploadOptions {
  const fingerprint = `${address}:${item.sha256}`;
  return {
    endpoint: new URL(address, location.href).href,
    chunkSize: chunk,
    retryDelays: DELAYS,
    metadata: { filename: item.file.name, sha256: item.sha256 },
    fingerprint: () => Promise.resolve(fingerprint),
    urlStorage: storage,
    onUploadUrlAvailable() {
      item.isCounted = true;
    },
    onProgress(sent) {
      item.sent.value = sent;
      if (item.state.peek() === "retrying") item.state.value = "sending";
    },
    onShouldRetry(error) {
      const status = error.originalResponse?.getStatus() ?? 0;
      if (othersIn(error.originalResponse?.getBody() ?? "")) return false;
      // a refusal stays one; 409: somebody else sends the same file, the next question tells how far it is
      const again = status === 0 || status === 409 || status === 423 || status === 429 || status >= 500;
      if (again) item.state.value = "retrying";
      return again;
    },
    onSuccess({ lastResponse }) {
      forget(name(fingerprint));
      ends.taken(lastResponse.getHeader("upload-photo") ?? "");
    },
    onError(error) {
      const answer = "originalResponse" in error ? error.originalResponse : null;
      const status = answer?.getStatus() ?? 0;
      // what is refused for good need not be found again
      if (status >= 400 && status < 500 && status !== 401) forget(name(fingerprint));
      const body = answer?.getBody() ?? "";
      ends.failed(status, reasonIn(body).msg, othersIn(body));
    },
  };
}

const name = (fingerprint: string) => `upload:${fingerprint}`;

/** Addresses of uploads under the name of their bytes, where the site keeps everything. */
const storage = {
  findAllUploads: () => Promise.resolve([]),
  findUploadsByFingerprint(fingerprint: string) {
    const kept = read(name(fingerprint)) as PreviousUpload | undefined;
    return Promise.resolve(kept?.uploadUrl ? [{ ...kept, urlStorageKey: fingerprint }] : []);
  },
  // it would forget after a session that ended, too; what is really gone is begun anew and takes its place
  removeUpload: () => Promise.resolve(),
  addUpload(fingerprint: string, upload: PreviousUpload) {
    write(name(fingerprint), upload);
    return Promise.resolve(fingerprint);
  },
};
