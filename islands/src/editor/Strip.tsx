// All pages in small: going to one, and what can be done with a pair of them.
import { useSignals } from "@preact/signals-react/runtime";
import { useContext, useEffect, useRef, useState } from "react";
import type { PageModel } from "./Book.js";
import { pictures } from "./calls.js";
import { EditorContext } from "./context.js";
import { addPages, copyPages, movePages, nameOfPair, removePages } from "./pages.js";
import { pressing } from "./pressing.js";

/** Around the small pages that are seen: those that are seen next. */
const NEAR = "120px";

export function Strip() {
  useSignals();
  const editor = useContext(EditorContext);
  const pages = editor.book.pages.value;
  const list = useRef<HTMLOListElement>(null);
  const number = editor.view.number.value;
  useEffect(() => {
    const current = list.current?.querySelector("[aria-current]");
    current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [number]);
  return (
    <nav className="strip" aria-label="书页">
      <ol ref={list}>
        {pages.map((page) => (
          <Small key={page.id} page={page} />
        ))}
      </ol>
      <Acts />
    </nav>
  );
}

function Small({ page }: { page: PageModel }) {
  useSignals();
  const editor = useContext(EditorContext);
  const number = page.number.value;
  const isOpen = editor.view.open.value.some((open) => open.page === page);
  const { ref, isSeen } = useSeen();
  return (
    <li ref={ref}>
      <button type="button" aria-current={isOpen ? "page" : undefined} onClick={() => editor.view.goTo(number)}>
        <SmallPicture page={page} isSeen={isSeen && editor.isSettled.value} />
        <span>{number === 0 ? "封面" : number}<span className="sr">{number === 0 ? "" : " 页"}</span></span>
      </button>
    </li>
  );
}

/** A page in small: while changes are on their way, the newest picture that there is. */
export function SmallPicture({ page, isSeen }: { page: PageModel; isSeen: boolean }) {
  useSignals();
  const editor = useContext(EditorContext);
  const { width, height } = editor.book.document.trim;
  const picture = page.picture.value;
  return picture && isSeen ? (
    <img src={pictures.page(editor.props.work, picture.number, 320, picture.revision)} alt="" width={width} height={height} draggable={false} />
  ) : (
    <i className="blank" style={{ aspectRatio: width / height }} />
  );
}

/** Whether something has been near enough to be seen: browsers fetch what is lazy from far away, which is all small pages. */
export function useSeen() {
  const ref = useRef<HTMLLIElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const node = ref.current;
    if (!node) return undefined;
    const watcher = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true), { root: node.parentElement, rootMargin: NEAR });
    watcher.observe(node);
    return () => watcher.disconnect();
  }, []);
  return { ref, isSeen };
}

/** Pages come, go and move by two that face each other. */
function Acts() {
  useSignals();
  const editor = useContext(EditorContext);
  const numbers = editor.view.open.value.map(({ page }) => page.number.value);
  const count = editor.book.pages.value.length - 1;
  const first = numbers[0] ?? 0;
  const { work } = editor.props;
  // the left page of the pair, as the form counts
  const left = first < 2 ? first : first - (first % 2);
  if (!editor.props.isFree || first === 0) {
    return <p className="acts"><a href={`/manager/opus/${work}/page/${first === 0 ? "cover" : first}`}>版式</a></p>;
  }
  const name = nameOfPair(left);
  const isPair = left >= 2 && left + 1 <= count;
  const act = (words: string, can: boolean, run: () => void) => (
    <button type="button" className="link" {...pressing(can && editor.canEdit.value, run)} aria-label={`${name}：${words}`}>
      {words}
    </button>
  );
  return (
    <p className="acts">
      {act("前移", isPair && left > 2, () => movePages(editor, left, left - 2))}
      {act("后移", isPair && left + 3 <= count, () => movePages(editor, left, left + 2))}
      {act("复制", isPair, () => copyPages(editor, left))}
      {act("后面加 2 页", isPair || left === 1, () => addPages(editor, left))}
      <a href={`/manager/opus/${work}/page/${first}`}>版式</a>
      {act("删去", isPair, () => removePages(editor, left))}
    </p>
  );
}
