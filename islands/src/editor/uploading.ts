// Image files that are dropped or pasted: the uploader sends them, and each photo gets a frame when it is there.
import "../runtime/base.js";
import "./base.js";
import { effect } from "@preact/signals-react";
import { toast } from "../runtime/toasts.js";
import { Uploads } from "../uploader/Model.js";
import * as actions from "./actions.js";
import type { PageModel } from "./Book.js";
import type { Point } from "./geometry.js";
import type { Editor } from "./Model.js";

/** Sends files; where a place is named, the photos are put there, else on the open page. Without a page, only into the tray. */
export function upload(editor: Editor, files: File[], where?: { page: PageModel; at?: Point } | "tray"): void {
  const page = where === "tray" ? undefined : (where?.page ?? editor.page);
  const at = where === "tray" ? undefined : where?.at;
  const uploads = new Uploads({ ...editor.props.uploads, inForm: false });
  uploads.add(files);
  editor.say(`正在上传 ${files.length} 张照片`);
  const stop = effect(() => {
    const [problem, isOver] = [uploads.problem.value, uploads.isOver.value];
    if (!problem && !isOver) return;
    // not while it is being told
    queueMicrotask(() => {
      stop();
      if (problem) toast(problem, { bad: true });
      for (const item of uploads.refused.peek()) toast(`${item.file.name}：${item.reason}`, { bad: true });
      if (isOver) void arrived(editor, uploads.photos.peek(), page, at);
    });
  });
}

async function arrived(editor: Editor, photos: string[], page: PageModel | undefined, at: Point | undefined): Promise<void> {
  if (photos.length === 0) return;
  await editor.library.come(photos).catch(() => undefined);
  editor.say(`已上传 ${photos.length} 张照片`);
  if (!page) return;
  photos.forEach((photo, place) => {
    const { trim } = editor.book.document;
    const middle = at ?? { x: trim.width / 2, y: trim.height / 2 };
    actions.addPhoto(editor, page, photo, { x: middle.x + place * 6, y: middle.y + place * 6 });
  });
}
