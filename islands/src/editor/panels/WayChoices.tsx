// The open pages in other layouts, as the press would set them: both at once (换一换), or one of them alone.
import { useSignals } from "@preact/signals-react/runtime";
import { useContext, useEffect, useState } from "react";
import type { EditorWay } from "../../generated/works.js";
import { complain } from "../../runtime/problem.js";
import type { PageModel } from "../Book.js";
import { pictures } from "../calls.js";
import { EditorContext } from "../context.js";
import { nameOfPage } from "../names.js";
import { takeWay } from "../pages.js";
import { pressing } from "../pressing.js";

/** Other layouts of all pages that are seen at once. */
export function WayChoices() {
  useSignals();
  const editor = useContext(EditorContext);
  return <Choices pages={editor.view.spread.value} what="way" word="换一换" name="其他版式" />;
}

/** Other layouts of a page that another one faces, which stays as it is. */
export function LayoutChoices({ page }: { page: PageModel }) {
  useSignals();
  const editor = useContext(EditorContext);
  if (editor.view.spread.value.length < 2) return null;
  return <Choices pages={[page]} what="layout" word="只换这一页" name={`${nameOfPage(page)}的其他版式`} />;
}

interface Props {
  pages: PageModel[];
  what: "way" | "layout";
  /** On the button that opens them. */
  word: string;
  name: string;
}

function Choices({ pages, what, word, name }: Props) {
  useSignals();
  const editor = useContext(EditorContext);
  const [isOpen, setOpen] = useState(false);
  const [found, setFound] = useState<{ revision: number; ways: EditorWay[] }>();
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
    const { calls } = editor;
    const asked = what === "way" ? calls.ways(work, first.id) : calls.layouts(work, first.id);
    asked.then((ways) => isWanted && setFound({ revision, ways }), complain);
    return () => void (isWanted = false);
  }, [editor, work, what, isOpen, isSaved, first, state]);
  if (!editor.props.isFree) return null;
  return (
    <div className="ways">
      <button type="button" className="button small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>{word}</button>
      {isOpen && found?.ways.length === 0 && <p className="hint">这里没有可以重新排的照片。</p>}
      {isOpen && found && found.ways.length > 0 && (
        <div className="choices" role="group" aria-label={name}>
          {found.ways.map((way) => (
            <button key={way.code} type="button" {...pressing(isSaved && editor.canEdit.value, () => takeWay(editor, pages, way))}>
              <span className="pair">
                {pages.map((page) => (
                  <img key={page.id} src={pictures.tried(work, page.number.value, found.revision, what, way.code)} alt="" width={width} height={height} loading="lazy" />
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
