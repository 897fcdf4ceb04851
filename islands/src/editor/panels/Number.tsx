// A number with − and +: the way of every drag for whoever can't drag.
import { useState } from "react";
import { typed as read } from "../../runtime/typed.js";
import { isComposing } from "../keys.js";

interface Props {
  label: string;
  value: number;
  unit: string;
  step?: number;
  min?: number;
  max?: number;
  disabled?: boolean;
  onChange: (value: number) => void;
}

export function NumberField({ label, value, unit, step = 1, min = -9999, max = 9999, disabled = false, onChange }: Props) {
  // what is being typed; undefined while nobody types
  const [typed, setTyped] = useState<string>();
  const give = (to: number) => {
    const bounded = Math.min(Math.max(Math.round(to * 100) / 100, min), max);
    if (bounded !== value) onChange(bounded);
  };
  const settle = () => {
    const number = Number(read(typed ?? "").replace("。", "."));
    if (typed !== undefined && typed.trim() !== "" && Number.isFinite(number)) give(number);
    setTyped(undefined);
  };
  return (
    <div className="number" role="group" aria-label={label}>
      <span aria-hidden="true">{label}</span>
      <button type="button" aria-label={`${label}减少`} disabled={disabled} onClick={() => give(value - step)}>−</button>
      <input
        className="num"
        inputMode="decimal"
        aria-label={`${label}（${unit}）`}
        disabled={disabled}
        value={typed ?? String(value)}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={settle}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return;
          if (event.key === "Enter") settle();
          if (event.key === "ArrowUp" || event.key === "ArrowDown") {
            event.preventDefault();
            setTyped(undefined);
            give(value + (event.key === "ArrowUp" ? step : -step));
          }
        }}
      />
      <button type="button" aria-label={`${label}增加`} disabled={disabled} onClick={() => give(value + step)}>+</button>
    </div>
  );
}
