// The whole book in other styles, each with three of its spreads as they would be; taken with one press, and one step.
import { useSignals } from "@preact/signals-react/runtime";
import { useContext, useEffect, useState } from "react";
import type { EditorStyle, EditorStyles } from "../../generated/works.js";
import { complain } from "../../runtime/problem.js";
import { pictures } from "../calls.js";
import { EditorContext } from "../context.js";
import { pressing } from "../pressing.js";

const PARTS = [["theme", "风格"], ["density", "疏密"], ["chapters", "章节"], ["dates", "日期"]] as const;

export function BookChoices() {
  useSignals();
  const editor = useContext(EditorContext);
  const [isOpen, setOpen] = useState(false);
  const [part, setPart] = useState<string>("theme");
  return (
    <div className="ways">
      <button type="button" className="button small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>换整本样式</button>
      {isOpen && (
        <>
          <div className="segments" role="group" aria-label="换什么">
            {PARTS.map(([code, name]) => (
              <button key={code} type="button" aria-pressed={part === code} onClick={() => setPart(code)}>{name}</button>
            ))}
          </div>
          <Styles key={part} part={part} name={PARTS.find(([code]) => code === part)?.[1] ?? ""} />
          <p className="row"><a href={`/manager/opus/${editor.props.work}/format`}>换开本</a></p>
        </>
      )}
    </div>
  );
}

function Styles({ part, name }: { part: string; name: string }) {
  useSignals();
  const editor = useContext(EditorContext);
  const [found, setFound] = useState<EditorStyles & { revision: number }>();
  const { work } = editor.props;
  // what is on its way is laid out with the rest, when the server has it
  const isSaved = editor.saver.sent.value === "saved";
  // another document for each revision that the book has
  const pages = editor.book.pages.value;
  useEffect(() => {
    if (!isSaved) return;
    let isWanted = true;
    const { revision } = editor.book;
    editor.calls.styles(work, part).then((styles) => isWanted && setFound({ ...styles, revision }), complain);
    return () => void (isWanted = false);
  }, [editor, work, part, isSaved, pages]);
  const take = async ({ code, name: to }: EditorStyle) => {
    if (await editor.restyle(name, code)) editor.offerUndo(`整本${name}已换成${to}`);
  };
  if (!found) return <p className="hint" role="status">{isSaved ? "正在看能换成哪些…" : "刚才的改动存好以后就能换。"}</p>;
  if (found.reason) return <p className="hint">{found.reason}</p>;
  return (
    <ul className="styles">
      {found.styles.map((style) => (
        <li key={style.code}>
          <Spreads style={style} revision={found.revision} />
          <p>
            <b>{style.name}</b> <span className="hint">{style.reason || `${style.hint}，${style.pages} 页`}</span>
          </p>
          {style.isNow && <p className="hint">现在这样</p>}
          {!style.isNow && !style.reason && (
            <button type="button" className="button small" {...pressing(isSaved && editor.canEdit.value, () => void take(style))}>换成{style.name}</button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Three spreads of the book as it would be. */
function Spreads({ style, revision }: { style: EditorStyle; revision: number }) {
  const editor = useContext(EditorContext);
  const { width, height } = editor.book.document.trim;
  return (
    <div className="three">
      {style.shown.map((left) => (
        <span key={left} className="pair">
          {[left, left + 1].map((page) => (
            <img key={page} src={pictures.styled(editor.props.work, page, revision, style.code)} alt="" width={width} height={height} loading="lazy" />
          ))}
        </span>
      ))}
    </div>
  );
}
