import { useSignals } from "@preact/signals-react/runtime";
import { useEffect, useRef, useState } from "react";
import type { CartInfo, PrintOptionsProps } from "../generated/cart.js";
import { problemOf } from "../runtime/problem.js";
import { Bundles } from "./Bundles.js";
import { PrintOptions as Model } from "./Model.js";
import { Money } from "./Money.js";
import { Proof } from "./Proof.js";
import { Rehearsal } from "./Rehearsal.js";
import { Remark } from "./Remark.js";
import { Notes } from "./Notes.js";
import { ArtworkRow, StepRow } from "./StepRow.js";
import { Trouble } from "./Trouble.js";
import { typedIn } from "./choice.js";
import { keep } from "./keep.js";

const SAVING = "正在保存…";
const CRAFT = "其他工艺";

interface Props extends PrintOptionsProps {
  info: CartInfo;
  /** Holds the plain form until this is drawn. */
  host: HTMLElement;
}

export function PrintOptions({ info, cartID, host }: Props) {
  const [plain] = useState(() => ({
    action: host.querySelector("form")?.action,
    picture: host.querySelector<HTMLImageElement>(".proof img"),
    isExplained: host.querySelector("details")?.open ?? false,
    leadsOn: host.querySelector("button[name=then]") !== null,
  }));
  const [model] = useState(() => new Model(info, cartID, typedIn(host)));
  useEffect(() => model.price.explain(plain.isExplained), [model, plain]);
  useEffect(() => () => model.stop(), [model]);
  const pictures = useRef<HTMLImageElement[]>([]);
  useEffect(() => {
    // a picture that is here already asks nobody when its item is chosen; what nobody holds, the browser forgets
    const covers = info.buzhou.flatMap((step) => step.items.map((item) => item.cover)).filter(Boolean);
    pictures.current = covers.map((src) => Object.assign(new Image(), { src }));
  }, [info]);
  const quantity = useRef<HTMLInputElement>(null);

  function save(next?: string) {
    if (model.isQuantityBad.peek()) quantity.current?.focus();
    else if (!model.isSaving.peek()) void keep(model, next);
  }

  return (
    <form
      className="options"
      method="post"
      action={plain.action}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Proof model={model} picture={plain.picture} quantity={quantity} />
      <div>
        <Restored model={model} />
        {info.bundles.length > 0 && <Bundles model={model} />}
        <Notes model={model} />
        <Steps model={model} />
        <Remark model={model} />
      </div>
      <ActionBar model={model} order={plain.leadsOn ? () => save(`/manager/shopping/order/${cartID}`) : undefined} />
      <Rehearsal model={model} />
    </form>
  );
}

function Restored({ model }: { model: Model }) {
  useSignals();
  if (!model.isRestored.value) return null;
  return (
    <p className="notice" role="status">
      已恢复上次没有保存的选择。{" "}
      <button type="button" className="link" onClick={() => model.restore()}>
        恢复原样
      </button>
    </p>
  );
}

function Steps({ model }: { model: Model }) {
  const { artwork } = model.info;
  return (
    <>
      {inOrder(model).map(([row, place]) => {
        const choose = (cnum: string) => model.choose(place, cnum);
        const { ID } = row.peek().step;
        return ID === artwork?.step.ID ? (
          <ArtworkRow key={ID} row={row} choose={choose} hint={artwork.hint} />
        ) : (
          <StepRow key={ID} row={row} choose={choose} />
        );
      })}
      <News model={model} />
    </>
  );
}

/** The rows as they are shown, each with its place: what a craft is drawn from comes after the craft. */
function inOrder({ rows, info }: Model): [Model["rows"][number], number][] {
  const placed = rows.map((row, place): [typeof row, number] => [row, place]);
  const craft = rows.findIndex((row) => row.peek().step.Name === CRAFT);
  if (info.artwork && craft >= 0) placed.splice(craft + 1, 0, ...placed.splice(-1));
  return placed;
}

function News({ model }: { model: Model }) {
  useSignals();
  return (
    <p className="sr" role="status">
      {model.news.value}
    </p>
  );
}

interface Bar {
  model: Model;
  /** Orders this line alone, past the cart. */
  order: (() => void) | undefined;
}

function ActionBar({ model, order }: Bar) {
  useSignals();
  const { price } = model;
  const stale = price.stale.value;
  const total = price.total.value;
  const failure = price.failure.value;
  const problem = model.problem.value;
  const saving = model.isSaving.value;
  const behind = model.isBehind.value;
  const stuck = model.isStuck.value;
  return (
    <div className="actionbar">
      {problem && <Trouble problem={problem} />}
      {failure && !problem?.signedOut && (
        <Trouble problem={problemOf(failure, "计算价格失败，请稍后再试")}>
          <button type="button" className="link" onClick={() => price.retry()}>
            重试
          </button>
        </Trouble>
      )}
      <p className={behind ? "hint" : "sr"} role="status">
        {saving ? SAVING : behind && "已保存，之后的改动还没有保存"}
      </p>
      <p className="now" aria-live="polite" aria-busy={stale}>
        总价 <Money fen={total} className="price total" />
      </p>
      {order && (
        <button type="button" className="button" disabled={stuck} onClick={order}>
          直接结算
        </button>
      )}
      <button className="button primary" disabled={stuck} aria-busy={saving}>
        {saving ? SAVING : "下一步"}
      </button>
    </div>
  );
}
