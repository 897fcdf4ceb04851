import { useSignals } from "@preact/signals-react/runtime";
import type { RefObject } from "react";
import type { PrintOptions } from "./Model.js";

interface Props {
  model: PrintOptions;
  field: RefObject<HTMLInputElement | null>;
}

/** The number of copies. */
export function Quantity({ model, field }: Props) {
  useSignals();
  const isBad = model.isQuantityBad.value;
  const count = model.quantity.value;
  return (
    <>
      <input
        ref={field}
        id="quantity"
        className="input qty"
        name="quantity"
        type="number"
        inputMode="numeric"
        min="1"
        max="1000000"
        step="1"
        value={count}
        aria-invalid={isBad}
        aria-describedby={isBad ? "quantity-error" : undefined}
        onChange={(event) => model.writeQuantity(event.target.value)}
      />
      {isBad && (
        <p className="error" id="quantity-error" role="alert">
          数量须为 1 到 1000000 的整数
        </p>
      )}
    </>
  );
}
