// 换一张更好的: photos of the same moment that are better in something, each with what that is; one press takes one.
import { useSignals } from "@preact/signals-react/runtime";
import { useContext, useEffect, useState } from "react";
import type { EditorBetter } from "../../generated/works.js";
import { complain } from "../../runtime/problem.js";
import * as actions from "../actions.js";
import type { ElementModel } from "../Book.js";
import { pictures } from "../calls.js";
import { EditorContext } from "../context.js";
import type { Rect } from "../document.js";

export function BetterChoices({ element, isFixed }: { element: ElementModel; isFixed: boolean }) {
  useSignals();
  const editor = useContext(EditorContext);
  const [isOpen, setOpen] = useState(false);
  const [found, setFound] = useState<EditorBetter>();
  const { work } = editor.props;
  const page = editor.book.pageOf(element.id)?.id;
  // the server knows the frame as it was saved
  const isSaved = editor.saver.sent.value === "saved";
  const { width, height } = element.value.value.frame;
  useEffect(() => {
    if (!isOpen || !isSaved || !page) return;
    let isWanted = true;
    editor.calls.better(work, page, element.id).then((better) => {
      if (!isWanted) return;
      editor.library.learn(better.photos.map(({ photo }) => photo));
      setFound(better);
      editor.say(better.reason || `有 ${better.photos.length} 张更好的`);
    }, complain);
    return () => {
      isWanted = false;
      // they were better than what was there then
      setFound(undefined);
    };
  }, [editor, work, page, element, isOpen, isSaved, width, height]);
  const choose = (photo: string, crop: Rect) => {
    actions.replacePhoto(editor, element, photo, crop);
    // the one that was pressed goes away with the others
    editor.focus(element.id);
  };
  return (
    <div className="ways better">
      <button type="button" className="button small" disabled={isFixed} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>换一张更好的</button>
      {isOpen && found?.reason && <p className="hint">{found.reason}</p>}
      {isOpen && found && found.photos.length > 0 && (
        <div className="choices" role="group" aria-label="更好的照片">
          {found.photos.map(({ photo, merits, crop }) => (
            <button key={photo.id} type="button" disabled={!isSaved || isFixed} aria-label={`${photo.name}，${merits.join("、")}`} onClick={() => choose(photo.id, crop)}>
              <img src={pictures.photo(photo.id, 320)} alt="" width={photo.width} height={photo.height} />
              {merits.join("、")}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
