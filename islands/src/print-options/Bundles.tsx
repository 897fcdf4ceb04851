import { useSignals } from "@preact/signals-react/runtime";
import { fenOf } from "../runtime/money.js";
import type { PrintOptions } from "./Model.js";
import { Money } from "./Money.js";

/** Choices that go well together, each with what a copy costs. */
export function Bundles({ model }: { model: PrintOptions }) {
  useSignals();
  return (
    <fieldset className="bundles">
      <legend>搭配好的</legend>
      <div>
        {model.info.bundles.map(({ name, about, items, cnums, each, cover }) => (
          <button key={name} type="button" aria-pressed={model.isChosen(cnums)} onClick={() => model.chooseAll(cnums)}>
            <img src={cover} width="250" height="220" alt="" />
            <strong>{name}</strong>
            <span>{about}</span>
            <small>{items.join(" · ")}</small>
            <span className="price">
              <Money fen={fenOf(each)} /> 每本
            </span>
          </button>
        ))}
      </div>
    </fieldset>
  );
}
