// 换一换: the open pages in other layouts, as the press would set them.
import { useSignals } from "@preact/signals-react/runtime";
import { useContext, useEffect, useState } from "react";
import type { EditorWay } from "../../generated/works.js";
import { complain } from "../../runtime/problem.js";
import { pictures } from "../calls.js";
import { EditorContext } from "../context.js";
import { takeWay } from "../pages.js";

export function WayChoices() {
  useSignals();
  const editor = useContext(EditorContext);
  const [isOpen, setOpen] = useState(false);
  const [found, setFound] = useState<{ revision: number; ways: EditorWay[] }>();
  const pages = editor.view.spread.value;
  const [first] = pages;
  const { work } = editor.props;
  const { width, height } = editor.book.document.trim;
  // what is on its way is laid out with the rest, when the server has it
  const isSaved = editor.saver.sent.value === "saved" && pages.every(({ drawn }) => drawn.value !== 0);
  const state = pages.map(({ id, drawn }) => `${id} ${drawn.value}`).join();
  useEffect(() => {
    if (!isOpen || !isSaved || !first) return;
    let isWanted = true;
    const { revision } = editor.book;
    editor.calls.ways(work, first.id).then((ways) => isWanted && setFound({ revision, ways }), complain);
    return () => void (isWanted = false);
  }, [editor, work, isOpen, isSaved, first, state]);
  if (!editor.props.isFree) return null;
  return (
    <div className="ways">
      <button type="button" className="button small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>换一换</button>
      {isOpen && found?.ways.length === 0 && <p className="hint">这里没有可以重新排的照片。</p>}
      {isOpen && found && found.ways.length > 0 && (
        <div className="choices" role="group" aria-label="其他版式">
          {found.ways.map((way) => (
            <button key={way.code} type="button" disabled={!isSaved || !editor.canEdit.value} onClick={() => takeWay(editor, pages, way)}>
              <span className="pair">
                {pages.map((page) => (
                  <img key={page.id} src={pictures.way(work, page.number.value, found.revision, way.code)} alt="" width={width} height={height} loading="lazy" />
                ))}
              </span>
              {way.title}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
