// 补满: the pages that are seen at once get photos that the book does not show yet.
import { useSignals } from "@preact/signals-react/runtime";
import { useContext, useState } from "react";
import { complain } from "../../runtime/problem.js";
import { toast } from "../../runtime/toasts.js";
import { EditorContext } from "../context.js";
import { takeFilling } from "../pages.js";
import { pressing } from "../pressing.js";

export function FillButton() {
  useSignals();
  const editor = useContext(EditorContext);
  const [isAsking, setAsking] = useState(false);
  const spread = editor.view.spread.value;
  const [first] = spread;
  // what is on its way is filled up with the rest, when the server has it
  const isSaved = editor.saver.sent.value === "saved" && spread.every(({ drawn }) => drawn.value !== 0);
  if (!editor.props.isFree || !first || first.number.value === 0) return null;
  const fill = () => {
    const { revision } = editor.book;
    setAsking(true);
    editor.calls
      .filling(editor.props.work, first.id)
      .then((filling) => {
        // what the server has just taken is in no revision that the editor knows until it is forgotten here, too
        if (editor.book.revision === revision && editor.saver.sent.value === "saved") takeFilling(editor, filling);
        // what was done meanwhile stays
        else toast("页面刚改过，没有补。再按一次，按现在的样子补");
      }, complain)
      .finally(() => setAsking(false));
  };
  return (
    <p className="row">
      <button type="button" className="button small" {...pressing(isSaved && !isAsking && editor.canEdit.value, fill)} title="放进没用过的、拍摄时间最近的照片">
        {spread.length > 1 ? "补满这一跨页" : "补满这一页"}
      </button>
    </p>
  );
}
