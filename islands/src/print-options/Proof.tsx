import { useSignals } from "@preact/signals-react/runtime";
import type { RefObject } from "react";
import { fenOf } from "../runtime/money.js";
import type { PrintOptions } from "./Model.js";
import { Money } from "./Money.js";
import type { Price } from "./Price.js";
import { Quantity } from "./Quantity.js";

interface Props {
  model: PrintOptions;
  /** The same picture in the plain form: with its size, nothing moves when this takes its place. */
  picture: HTMLImageElement | null;
  quantity: RefObject<HTMLInputElement | null>;
}

/** What is printed and what it costs. */
export function Proof({ model, picture, quantity }: Props) {
  useSignals();
  const { info, price } = model;
  const stale = price.stale.value;
  const front = model.picture.value;
  return (
    <div className="proof">
      {front && (
        <div className="trim">
          <span className="book">
            <img
              src={front}
              width={picture?.getAttribute("width") ?? undefined}
              height={picture?.getAttribute("height") ?? undefined}
              alt={`《${info.clientDesignName}》封面`}
            />
          </span>
        </div>
      )}
      <dl className="facts" aria-busy={stale}>
        <dt>作品</dt>
        <dd>{info.clientDesignName}</dd>
        <dt>商品</dt>
        <dd>{info.goodsName}</dd>
        <dt>页数</dt>
        <dd className="num">{info.showPageNum}</dd>
        <dt>单价</dt>
        <dd className="now">
          <Money fen={price.unit.value} /> <span className="quiet">每本</span>
        </dd>
        <dt>
          <label htmlFor="quantity">数量（本）</label>
        </dt>
        <dd>
          <Quantity model={model} field={quantity} />
        </dd>
        <dt>小计</dt>
        <dd className="now">
          <Money fen={price.total.value} />
        </dd>
      </dl>
      <Explanation price={price} />
      <p className="quiet">{info.yhstr}</p>
      <p className="quiet">付款后约 {info.makingDays} 个工作日做好寄出。</p>
    </div>
  );
}

function Explanation({ price }: { price: Price }) {
  useSignals();
  const open = price.isOpen.value;
  const lines = price.lines.value;
  const total = price.total.value;
  const stale = price.stale.value;
  const failure = price.failure.value;
  const awaited = open && !lines && !failure && (stale || total !== undefined);
  return (
    <details className="fold" open={open} onToggle={(event) => price.explain(event.currentTarget.open)}>
      <summary>价格怎么来的</summary>
      {lines && (
        <dl className="facts sums" aria-busy={stale}>
          {lines.map(({ label, detail, amount }) => (
            <Line key={`${label} ${detail}`} label={label} detail={detail} amount={amount} />
          ))}
          <dt className="sum">合计</dt>
          <dd className="sum">
            <Money fen={total} />
          </dd>
        </dl>
      )}
      {awaited && <p className="hint">正在计算…</p>}
    </details>
  );
}

/** Discounts are below zero, which a price never is. */
function Line({ label, detail, amount }: { label: string; detail: string; amount: string }) {
  const sign = amount.startsWith("-") ? "-" : "";
  return (
    <>
      <dt>
        {label} <span className="quiet">{detail}</span>
      </dt>
      <dd>
        {sign}
        <Money fen={fenOf(amount.slice(sign.length))} />
      </dd>
    </>
  );
}
