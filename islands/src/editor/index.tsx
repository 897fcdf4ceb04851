// 编辑: the page editor takes the place of the forms.
import "../runtime/base.js";
import type { ReactElement } from "react";
import type { EditorProps } from "../generated/works.js";
import { HttpError } from "../runtime/http/error.js";
import { type Current, calls } from "./calls.js";
import type { Document } from "./document.js";
import { EditorScreen } from "./EditorScreen.js";
import { type Journal, openJournal } from "./journal.js";
import { type Desk, Editor } from "./Model.js";

/** How long a picture of the page is waited for, in ms: without it the layers stand in. */
const PATIENCE = 1000;

export default async function draw(props: EditorProps, host: HTMLElement): Promise<ReactElement | undefined> {
  let editor: Editor | undefined;
  const replaced = () => editor?.stopWriting();
  const opened = openJournal(replaced).then(
    async (journal) => ({ journal, left: await journal.pending(props.work).catch(() => []) }),
    () => ({ journal: undefined, left: [] }),
  );
  try {
    const [[current, desk], { journal, left }] = await Promise.all([begunWith(props, host), opened]);
    editor = new Editor(props, current, desk, journal);
    await takeOver(editor, host);
    await editor.tabs.begin();
    await begin(editor, journal, left);
    return <EditorScreen editor={editor} />;
  } catch (error) {
    // the forms stay
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

/** Those whose first try is over: what the page brought may be old at another one. */
const tried = new WeakSet<HTMLElement>();

/** What the page brought; a page that the browser had kept is from before what was done since. */
function begunWith(props: EditorProps, host: HTMLElement): Promise<[Current, Desk]> {
  const isAgain = tried.has(host);
  tried.add(host);
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (isAgain || navigation?.type === "back_forward") return Promise.all([calls.document(props.work), calls.desk(props.work)]);
  return Promise.resolve([{ revision: props.revision, document: props.document as Document }, props]);
}

/** The pictures of open pages that the page shows already stay in sight: nobody waits for finer ones. */
async function takeOver({ book }: Editor, host: HTMLElement): Promise<void> {
  const seen = [...host.querySelectorAll<HTMLImageElement>("img[data-number]")].filter((image) => image.getClientRects().length > 0);
  await Promise.all(seen.map(async (image) => {
    // one that the page itself fetches late may never come, and none is waited for long
    if (image.loading === "lazy" && !image.complete) return;
    const decoded = image.decode().then(() => true, () => false);
    if (!(await Promise.race([decoded, new Promise<boolean>((done) => setTimeout(done, PATIENCE, false))]))) return;
    const { pathname, search, searchParams } = new URL(image.currentSrc);
    const page = book.pages.peek()[Number(image.dataset.number)];
    if (page && searchParams.get("r") === String(page.drawn.peek())) page.show(pathname + search, page.drawn.peek());
  }));
}

/** What an earlier page could not send goes first; it is shown already. */
async function begin(editor: Editor, journal: Journal | undefined, left: Awaited<ReturnType<Journal["pending"]>>): Promise<void> {
  if (!journal || !editor.tabs.isWriter.peek()) return;
  await editor.remember();
  if (left.length > 0) editor.resume(left);
}
