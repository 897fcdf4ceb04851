import type { ReadonlySignal } from "@preact/signals-react";
import { useSignals } from "@preact/signals-react/runtime";
import type { Row } from "./Model.js";

const BINDING = "装订方式";

interface Props {
  row: ReadonlySignal<Row>;
  choose: (cnum: string) => void;
}

/** One step: its items as chips. What can't be chosen stays visible and says why. */
export function StepRow({ row, choose }: Props) {
  useSignals();
  const { step, selected, obstacles, moved } = row.value;
  const name = `step-${step.ID}`;
  const tips = [selected?.tips, step.ownTips].find(Boolean);
  return (
    <div className="step" id={name}>
      <fieldset className="chips">
        <legend>{step.Name}</legend>
        <div>
          {step.items.map((item, index) => (
            <label key={item.Cnum}>
              <input
                type="radio"
                name={name}
                value={item.Cnum}
                checked={item === selected}
                disabled={obstacles[index] !== undefined}
                onChange={() => choose(item.Cnum)}
              />
              <span>
                {item.Name}
                {obstacles[index] && <small>{obstacles[index]}</small>}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      {!selected && <p className="error">这一步没有适合这本书的选项，请换一种商品或调整页数</p>}
      {moved && <p className="hint">{moved}</p>}
      {step.Name === BINDING && selected?.desc && (
        <div className="binding">
          {selected.cover && <img src={selected.cover} width="120" height="64" alt={`${selected.Name}的样子`} />}
          <p>{selected.desc}</p>
        </div>
      )}
      {tips && <p className="tips">{tips}</p>}
    </div>
  );
}
