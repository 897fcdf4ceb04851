// From a file to the server: tus-js-client, loaded with the first file, and what it remembers.
import "../runtime/base.js";
import type { PreviousUpload, Upload, UploadOptions } from "tus-js-client";
import { forms } from "../runtime/http/clients.js";
import { reasonIn } from "../runtime/http/error.js";
import { lazy } from "../runtime/lazy.js";
import { forget, read, write } from "../runtime/storage.js";
import type { Sending } from "./File.js";
import { head, preview } from "./preview.js";

/** Bytes of one request: what a proxy on the way must let through. */
const CHUNK = 8 << 20;
/** Milliseconds before each further try; a try that moved bytes begins anew. */
const DELAYS = [0, 1000, 2000, 4000, 8000, 15_000, 30_000, 30_000, 60_000, 60_000];

const tus = lazy("tus-js-client", () => import("tus-js-client"));

/** Where an upload ended. */
export interface Ends {
  taken(photo: string): void;
  /** A refusal with its sentence; status 0 where nobody answered. */
  failed(status: number, reason: string): void;
}

export interface Known {
  known: Record<string, string>;
  /** For these a small copy stands while the original is on its way. */
  coming: Record<string, string>;
  /** Of these an upload waits to be gone on with; `left` lacks their bytes already. */
  open: string[];
  left: number;
}

/** Which files the member has already, by SHA-256, and how much room is left. */
export async function ask(hashes: string[]): Promise<Known> {
  const { body } = await forms.post(
    "/manager/uploads/known",
    new URLSearchParams(hashes.map((hash) => ["sha256", hash])),
    { idempotent: true, accept: "application/json" },
  );
  return JSON.parse(body) as Known;
}

/** Milliseconds that a small copy may take on its way. */
const PATIENCE = 60_000;

/** Sends a small copy ahead and answers which photo it is; none where none can be made or it is not wanted. */
export async function sendAhead(item: Sending): Promise<string> {
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
  const answer = await fetch("/manager/uploads/preview", {
    method: "POST",
    body,
    headers: { accept: "application/json" },
    signal: patience.signal,
  });
  if (!answer.ok) return "";
  return ((await answer.json()) as { photo: string }).photo;
}

/** Begins to send a file, or goes on where an earlier page stopped. Answers what can pause and start it again. */
export async function send(item: Sending, ends: Ends): Promise<Upload | undefined> {
  const library = await tus();
  if (!library) return undefined;
  const upload = new library.Upload(item.file, options(item, ends));
  // the same bytes go on where they were, whatever the file is called
  const before = (await upload.findPreviousUploads())[0];
  if (before) upload.resumeFromPreviousUpload(before);
  return upload;
}

function options(item: Sending, ends: Ends): UploadOptions {
  return {
    endpoint: new URL("/manager/uploads", location.href).href,
    chunkSize: CHUNK,
    retryDelays: DELAYS,
    metadata: { filename: item.file.name, sha256: item.sha256 },
    fingerprint: () => Promise.resolve(item.sha256),
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
      // a refusal stays one; 409: somebody else sends the same file, the next question tells how far it is
      const again = status === 0 || status === 409 || status === 423 || status === 429 || status >= 500;
      if (again) item.state.value = "retrying";
      return again;
    },
    onSuccess({ lastResponse }) {
      forget(name(item.sha256));
      ends.taken(lastResponse.getHeader("upload-photo") ?? "");
    },
    onError(error) {
      const answer = "originalResponse" in error ? error.originalResponse : null;
      const status = answer?.getStatus() ?? 0;
      // what is refused for good need not be found again
      if (status >= 400 && status < 500 && status !== 401) forget(name(item.sha256));
      ends.failed(status, reasonIn(answer?.getBody() ?? "").msg);
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
