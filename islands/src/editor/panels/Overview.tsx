// 总览: all spreads in small, in the place of the open pages. A spread is opened by a press, and brought to another place by the
// hand, by keys or by buttons; photos of the tray may be put on it.
import { useSignals } from "@preact/signals-react/runtime";
import { type KeyboardEvent, type MouseEvent, useContext, useEffect, useLayoutEffect, useRef, useState } from "react";
import { setOverview } from "../alone.js";
import type { PageModel } from "../Book.js";
import { EditorContext, MachineContext } from "../context.js";
import { pageName } from "../document.js";
import { movePages, nameOfPair, pairsOf } from "../pages.js";
import { type Gap, carrySpreads, spotOn } from "../spreads.js";
import { SmallPicture, useSeen } from "../Strip.js";
import { spreadOf } from "../View.js";

export default function Overview() {
  useSignals();
  const editor = useContext(EditorContext);
  const list = useRef<HTMLOListElement>(null);
  const [gap, setGap] = useState<Gap>();
  // whose focus a move would take away
  const moved = useRef<string>(undefined);
  const pages = editor.book.pages.value;
  const { isFree, isSingle } = editor.props;
  const spreads = allSpreads(pages, isSingle);
  const pairs = isFree ? pairsOf(editor) : [];
  const isFixed = !editor.canEdit.value;
  const move = (left: number, to: number) => {
    if (to < 2 || to > 2 * pairs.length || to === left || isFixed) return;
    const id = pages[left]?.id;
    if (movePages(editor, left, to)) moved.current = id;
  };
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>("[aria-current]");
    current?.focus({ preventScroll: true });
    current?.scrollIntoView({ block: "center" });
  }, []);
  useLayoutEffect(() => {
    if (moved.current === undefined) return;
    list.current?.querySelector<HTMLElement>(`[data-spread="${moved.current}"]`)?.focus();
    moved.current = undefined;
  }, [pages]);
  const carries = useRef(move);
  useEffect(() => void (carries.current = move));
  useEffect(() => (list.current ? carrySpreads(list.current, setGap, (left, to) => carries.current(left, to)) : undefined), []);
  return (
    <section className="overview" aria-label="总览">
      <p className="row">
        <span className="hint">{editor.carried.value ? "点一页，就放在那里；Esc 取消" : isFree ? "点一下打开；拖动（手指先按住），或按 Alt+方向键，挪到别处" : "点一下打开"}</span>
        <button type="button" className="button small" onClick={() => setOverview(editor, false)}>回到书页</button>
      </p>
      <ol ref={list} className={isSingle ? "single" : undefined}>
        {spreads.map((shown) => {
          const [first] = shown;
          if (!first) return null;
          const place = pairs.indexOf(first.id);
          return <Spread key={first.id} pages={shown} place={place} last={pairs.length - 1} gap={gap} isFixed={isFixed} move={move} />;
        })}
      </ol>
    </section>
  );
}

/** The pages that are seen at once, for the whole book. */
function allSpreads(pages: readonly PageModel[], isSingle: boolean): PageModel[][] {
  const last = pages.length - 1;
  return pages.flatMap((_, number) => {
    const shown = spreadOf(number, last, isSingle);
    return shown[0] === number ? [shown.flatMap((page) => pages[page] ?? [])] : [];
  });
}

interface Props {
  pages: PageModel[];
  /** Among the pairs that may be moved; below 0 for what stays. */
  place: number;
  last: number;
  gap: Gap | undefined;
  isFixed: boolean;
  move: (left: number, to: number) => void;
}

const STEPS: Record<string, -1 | 1> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

function Spread({ pages, place, last, gap, isFixed, move }: Props) {
  useSignals();
  const editor = useContext(EditorContext);
  const machine = useContext(MachineContext);
  const { ref, isSeen } = useSeen();
  const [first, second] = pages;
  if (!first) return null;
  const left = first.number.value;
  const name = second ? nameOfPair(left) : pageName(left);
  const isOpen = editor.view.spread.value.includes(first);
  const isMovable = place >= 0;
  // nothing comes where it is
  const isGap = isMovable && gap !== undefined && gap.left !== left && (place === gap.place || (place === last && gap.place > last));
  const open = (event: MouseEvent) => {
    if (editor.carried.peek()) {
      machine.put(spotOn(editor, first, event.nativeEvent));
      editor.select([], { quietly: true });
      return;
    }
    editor.view.goTo(left);
    setOverview(editor, false);
  };
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const by = STEPS[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (event.altKey && isMovable) move(left, left + 2 * by);
    else if (!event.altKey) {
      const item = event.currentTarget.closest("li");
      const next = by < 0 ? item?.previousElementSibling : item?.nextElementSibling;
      next?.querySelector<HTMLElement>("[data-spread]")?.focus();
    }
  };
  const button = (words: string, by: -1 | 1, can: boolean) => (
    <button type="button" className="link" disabled={!can || isFixed} aria-label={`${name}：${words}`} onClick={() => move(left, left + 2 * by)}>{words}</button>
  );
  return (
    <li ref={ref} data-left={isMovable && !isFixed ? left : undefined} className={isGap ? (gap.place > last ? "after" : "before") : gap?.left === left ? "carried" : undefined}>
      <button
        type="button"
        className={second ? "spread-of two" : "spread-of"}
        data-spread={first.id}
        aria-current={isOpen ? "page" : undefined}
        aria-keyshortcuts={isMovable ? "Alt+ArrowLeft Alt+ArrowRight" : undefined}
        onClick={open}
        onKeyDown={press}
      >
        {pages.map((page) => (
          <span key={page.id} data-page={page.id}>
            <SmallPicture page={page} isSeen={isSeen} />
          </span>
        ))}
        <b>{name}</b>
      </button>
      {isMovable && (
        <span className="acts">
          {button("前移", -1, place > 0)}
          {button("后移", 1, place < last)}
        </span>
      )}
    </li>
  );
}
