// The open page: its layout, its style and its background.
import { useSignals } from "@preact/signals-react/runtime";
import { useContext } from "react";
import * as actions from "../actions.js";
import type { PageModel } from "../Book.js";
import { EditorContext } from "../context.js";
import { nameOfPage } from "../names.js";
import { BookChoices } from "./BookChoices.js";
import { FillButton } from "./FillButton.js";
import { LayoutChoices, WayChoices } from "./WayChoices.js";
import { lookOf } from "../typography.js";

const GROUNDS = [["paper", "纸色"], ["tint", "淡彩"], ["deep", "深色"]] as const;

export function PageChoices() {
  useSignals();
  const editor = useContext(EditorContext);
  const open = editor.view.open.value;
  return (
    <div className="properties">
      <p className="hint">点选页面上的东西来修改；按住 Shift 点可以多选。</p>
      <WayChoices key={open[0]?.page.id} />
      <FillButton />
      <BookChoices />
      {open.map(({ page }) => (
        <One key={page.id} page={page} />
      ))}
    </div>
  );
}

function One({ page }: { page: PageModel }) {
  useSignals();
  const editor = useContext(EditorContext);
  const { theme, ground = "paper", background } = page.look.value;
  const isFixed = !editor.canEdit.value;
  const name = nameOfPage(page);
  const look = lookOf(editor, page.look.value);
  const number = page.number.value;
  const own = editor.looks.get(editor.book.document.theme)?.title ?? "";
  return (
    <fieldset>
      <legend>{name}</legend>
      <label className="choice">
        <span>风格</span>
        <select className="input" disabled={isFixed} value={theme ?? ""} onChange={({ target }) => actions.setPage(editor, page, "theme", target.value || null)}>
          <option value="">跟随全书（{own}）</option>
          {[...editor.looks.values()].map((known) => (
            <option key={known.name} value={known.name}>{known.title}</option>
          ))}
        </select>
      </label>
      <div className="inks" role="group" aria-label={`${name}的底色`}>
        <span aria-hidden="true">底色</span>
        {GROUNDS.map(([code, words]) => (
          <button
            key={code}
            type="button"
            aria-label={words}
            aria-pressed={background === undefined && ground === code}
            disabled={isFixed}
            style={{ background: look?.[code] }}
            onClick={() => {
              const changes = [
                ...(background === undefined ? [] : [{ op: "set" as const, page: page.id, name: "background", value: null }]),
                { op: "set" as const, page: page.id, name: "ground", value: code },
              ];
              editor.commit("底色", changes);
            }}
          />
        ))}
        <input
          type="color"
          aria-label="底色，任意颜色"
          disabled={isFixed}
          value={background ?? look?.[ground] ?? "#ffffff"}
          onChange={({ target }) => editor.commit("底色", [{ op: "set", page: page.id, name: "background", value: target.value }], `background ${page.id}`)}
        />
      </div>
      <LayoutChoices key={page.id} page={page} />
      <p className="row">
        <a href={`/manager/opus/${editor.props.work}/page/${number === 0 ? "cover" : number}`}>单独排这一页</a>
      </p>
    </fieldset>
  );
}
