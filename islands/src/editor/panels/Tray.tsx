// The member's photos, to be put on pages: dragged there, or chosen here and placed with a tap.
import { useSignals } from "@preact/signals-react/runtime";
import { useContext, useEffect, useRef, useState } from "react";
import type { EditorPhoto } from "../../generated/works.js";
import { toast } from "../../runtime/toasts.js";
import * as actions from "../actions.js";
import { pictures } from "../calls.js";
import { EditorContext, MachineContext } from "../context.js";
import type { Machine } from "../Machine.js";
import type { Editor } from "../Model.js";
import { pressing } from "../pressing.js";
import { spotOn } from "../spreads.js";
import { FILTERS, type Filter, ORDERS, type Order, chosen, counted, trayName } from "../tray.js";

/** Photos that are shown at once. */
const SHOWN = 60;
/** How long somebody pauses who has typed what is looked for, in ms. */
const PAUSE_MS = 300;
/** Pixels after which a press is a drag. */
const SLOP = 4;

export default function Tray() {
  useSignals();
  const editor = useContext(EditorContext);
  const [search, setSearch] = useState("");
  const [most, setMost] = useState(SHOWN);
  const [asking, setAsking] = useState<"under way" | "failed" | undefined>(undefined);
  const [filter, setFilter] = useState<Filter>("all");
  const [order, setOrder] = useState<Order>("newest");
  const counts = counted(editor.book.pages.value.flatMap((page) => page.elements.value.flatMap(({ value }) => (value.value.kind === "photo" ? value.value.photo : []))));
  const { library } = editor;
  const sought = search.trim();
  const known = library.known.value;
  const list = library.found(sought);
  const found = chosen((list?.ids ?? []).flatMap((id) => known.get(id) ?? []).filter(({ isUsable }) => isUsable), filter, order, counts);
  const ask = async () => {
    setAsking("under way");
    const answer = await library.further(sought).then(() => undefined, () => "failed" as const);
    if (answer) toast("照片没有取到，请再试一次", { bad: true });
    setAsking(answer);
  };
  const isUnknown = list === undefined;
  useEffect(() => {
    if (!isUnknown) return undefined;
    const pause = setTimeout(() => void ask(), sought === "" ? 0 : PAUSE_MS);
    return () => clearTimeout(pause);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- asked once for what is typed
  }, [sought, isUnknown]);
  const further = async () => {
    if (!list || (found.length <= most + SHOWN && list.isFurther)) await ask();
    setMost(most + SHOWN);
  };
  const carried = editor.carried.value;
  const selected = editor.selected.value;
  const frame = selected.length === 1 && selected[0]?.value.value.kind === "photo" ? selected[0] : undefined;
  return (
    <section className="tray">
      <h2>照片</h2>
      <p className="hint" role="status">
        {carried ? "点一个相框就换成这张，点空白处就放下；Esc 取消" : frame ? "点一张，换掉选中的照片" : "点一张，再点页面；或直接拖到页面上"}
      </p>
      <div className="row">
        {carried && !carried.from && (
          <>
            <button type="button" className="button small" onClick={() => placeCarried(editor)}>放到这一页</button>
            <button type="button" className="button small" onClick={() => putBack(editor)}>取消</button>
          </>
        )}
        <label className="button small">
          上传
          <input
            type="file"
            className="sr"
            accept="image/jpeg,image/png,image/webp"
            multiple
            onChange={({ target }) => {
              const files = [...(target.files ?? [])];
              if (files.length > 0) void import("../uploading.js").then(({ upload }) => upload(editor, files, "tray"));
              target.value = "";
            }}
          />
        </label>
      </div>
      <input className="input" type="search" placeholder="按文件名找" aria-label="按文件名找照片" value={search} onChange={({ target }) => {
          setSearch(target.value);
          setAsking(undefined);
        }} />
      <div className="sifting">
        <Select name="筛选照片" value={filter} choices={FILTERS} onChange={setFilter} />
        <Select name="照片顺序" value={order} choices={ORDERS} onChange={setOrder} />
      </div>
      {list?.isFurther && (filter !== "all" || order !== "newest") && <p className="hint">还有照片没有取来，“再看一些”以后一起筛。</p>}
      <ul>
        {found.slice(0, most).map((photo) => (
          <Thumb key={photo.id} photo={photo} count={counts.get(photo.id) ?? 0} isCarried={carried?.photo === photo.id} frame={frame?.id} />
        ))}
      </ul>
      {found.length === 0 && list && <p className="quiet">没有找到照片。</p>}
      {!list && asking !== "failed" && <p className="quiet" role="status">正在找…</p>}
      {(found.length > most || (list?.isFurther ?? false) || asking === "failed") && (
        <button type="button" className="button small" {...pressing(asking !== "under way", () => void further())}>
          {asking === "failed" ? "再试一次" : list?.isFurther ? "再看一些" : `再看 ${Math.min(SHOWN, found.length - most)} 张`}
        </button>
      )}
    </section>
  );
}

interface SelectProps<T extends string> {
  name: string;
  value: T;
  choices: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
}

function Select<T extends string>({ name, value, choices, onChange }: SelectProps<T>) {
  return (
    <select className="input" aria-label={name} value={value} onChange={({ target }) => onChange(target.value as T)}>
      {choices.map(([code, words]) => (
        <option key={code} value={code}>{words}</option>
      ))}
    </select>
  );
}

function placeCarried(editor: Editor): void {
  const { photo } = editor.carried.peek() ?? {};
  editor.carry(undefined);
  if (photo && editor.page) actions.addPhoto(editor, editor.page, photo);
  // the button goes
  editor.focus(editor.selection.peek()[0] ?? editor.page?.id);
}

function putBack(editor: Editor): void {
  editor.carry(undefined);
  editor.focus(editor.page?.id);
}

interface Props {
  photo: EditorPhoto;
  /** How often the work shows it. */
  count: number;
  isCarried: boolean;
  /** The selected photo's frame. */
  frame: string | undefined;
}

function Thumb({ photo, count, isCarried, frame }: Props) {
  const editor = useContext(EditorContext);
  const machine = useContext(MachineContext);
  const dragged = useRef(false);
  return (
    <li>
      <button
        type="button"
        aria-label={trayName(photo, count)}
        title={photo.flaw || undefined}
        aria-pressed={isCarried}
        className={count > 0 ? "used" : undefined}
        onPointerDown={(event) => {
          // fingers scroll the list
          if (event.pointerType === "mouse" && event.button === 0) dragged.current = false;
          if (event.pointerType === "mouse" && event.button === 0) drag(editor, machine, photo, event.nativeEvent, () => (dragged.current = true));
        }}
        onDragStart={(event) => event.preventDefault()}
        onClick={() => {
          if (dragged.current) {
            dragged.current = false;
            return;
          }
          const element = editor.book.element(frame);
          if (element) actions.replacePhoto(editor, element, photo.id);
          else {
            editor.carry(isCarried ? undefined : { photo: photo.id });
            if (!isCarried) editor.say(`拿着${photo.name}，点一个相框或空白处`);
          }
        }}
      >
        <img src={pictures.photo(photo.id, 320)} alt="" loading="lazy" draggable={false} />
      </button>
    </li>
  );
}

/** From the tray to a page with the mouse: a small picture goes along. */
function drag(editor: Editor, machine: Machine, photo: EditorPhoto, begun: PointerEvent, started: () => void): void {
  const life = new AbortController();
  let ghost: HTMLImageElement | undefined;
  const end = () => {
    life.abort();
    ghost?.remove();
  };
  addEventListener("pointermove", ({ clientX, clientY }) => {
    if (!ghost && Math.hypot(clientX - begun.clientX, clientY - begun.clientY) < SLOP) return;
    if (!ghost) {
      started();
      ghost = Object.assign(new Image(), { src: pictures.photo(photo.id, 320), className: "ghost", alt: "" });
      document.body.append(ghost);
      editor.carry({ photo: photo.id });
    }
    ghost.style.transform = `translate(${clientX}px, ${clientY}px) translate(-50%, -50%)`;
  }, { signal: life.signal });
  addEventListener("pointerup", ({ clientX, clientY }) => {
    end();
    if (!ghost) return;
    if (editor.isOverview.peek()) {
      machine.put(spotOn(editor, undefined, { clientX, clientY }));
      editor.select([], { quietly: true });
      return;
    }
    const stage = document.querySelector(".editor .stage")?.getBoundingClientRect();
    const isOver = stage && clientX >= stage.left && clientX <= stage.right && clientY >= stage.top && clientY <= stage.bottom;
    if (isOver) machine.drop({ x: clientX - stage.left, y: clientY - stage.top });
    else editor.carry(undefined);
  }, { signal: life.signal });
  addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    end();
    editor.carry(undefined);
  }, { signal: life.signal });
}
