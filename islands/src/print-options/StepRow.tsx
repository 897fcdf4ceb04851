import type { ReadonlySignal } from "@preact/signals-react";
import { useSignals } from "@preact/signals-react/runtime";
import { memo } from "react";
import type { Item, Row } from "./Model.js";

const BINDING = "装订方式";

type Choose = (cnum: string) => void;

/** One step: its items as chips. What can't be chosen stays visible and says why. */
export function StepRow({ row, choose }: { row: ReadonlySignal<Row>; choose: Choose }) {
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
            <Chip key={item.Cnum} item={item} name={name} isChosen={item === selected} obstacle={obstacles[index]} choose={choose} />
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

interface ArtworkProps {
  row: ReadonlySignal<Row>;
  choose: Choose;
  /** What is said while no chosen craft asks. */
  hint: string;
}

/** What the chosen craft is drawn from. */
export function ArtworkRow({ row, choose, hint }: ArtworkProps) {
  useSignals();
  const { step, selected, obstacles, moved } = row.value;
  const isAsked = step.items.some((item, index) => item !== selected && obstacles[index] === undefined);
  if (isAsked) return <StepRow row={row} choose={choose} />;
  return (
    <div className="step" id={`step-${step.ID}`}>
      <p className="tips">{hint}</p>
      {moved && <p className="hint">{moved}</p>}
    </div>
  );
}

interface ChipProps {
  item: Item;
  name: string;
  isChosen: boolean;
  /** Why it can't be chosen; undefined where it can. */
  obstacle: string | undefined;
  choose: Choose;
}

/** Most chips of a step stay as they are. The element of the reason stays, too: writing a text costs less than an element. */
const Chip = memo(function Chip({ item, name, isChosen, obstacle, choose }: ChipProps) {
  const price = `price-${item.Cnum}`;
  const costs = obstacle === undefined && item.surcharge !== "";
  return (
    <label>
      <input
        type="radio"
        name={name}
        value={item.Cnum}
        checked={isChosen}
        disabled={obstacle !== undefined}
        aria-describedby={costs ? price : undefined}
        onChange={() => choose(item.Cnum)}
      />
      <span>
        {item.Name}
        <small>{obstacle}</small>
        {/* a description, not a part of the name */}
        <small className="num" id={price} aria-hidden="true">
          {costs ? item.surcharge : ""}
        </small>
      </span>
    </label>
  );
});
