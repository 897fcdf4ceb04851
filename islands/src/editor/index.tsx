// 编辑: the page editor takes the place of the forms.
import type { ReactElement } from "react";
import type { EditorProps } from "../generated/works.js";
import { HttpError } from "../runtime/http/error.js";
import { calls } from "./calls.js";
import { EditorScreen } from "./EditorScreen.js";
import { type Journal, openJournal } from "./journal.js";
import { Editor } from "./Model.js";

export default async function draw(props: EditorProps): Promise<ReactElement | undefined> {
  let editor: Editor | undefined;
  const replaced = () => editor?.stopWriting();
  const journal = await openJournal(replaced).catch(() => undefined);
  const left = await journal?.pending(props.work).catch(() => undefined);
  try {
    const [current, desk] = await Promise.all([calls.document(props.work), calls.desk(props.work)]);
    editor = new Editor(props, current, desk, journal);
    await editor.tabs.begin();
    await begin(editor, journal, left ?? []);
    return <EditorScreen editor={editor} />;
  } catch (error) {
    // the forms stay
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

/** What an earlier page could not send goes first; it is shown already. */
async function begin(editor: Editor, journal: Journal | undefined, left: Awaited<ReturnType<Journal["pending"]>>): Promise<void> {
  if (!journal || !editor.tabs.isWriter.peek()) return;
  await editor.remember();
  if (left.length > 0) editor.resume(left);
}
