import { useSignals } from "@preact/signals-react/runtime";
import type { RefObject } from "react";
import type { PrintOptions } from "./Model.js";

interface Props {
  model: PrintOptions;
  quantity: RefObject<HTMLInputElement | null>;
}

/** What is typed and not chosen: 备注 and the number of copies. */
export function Fields({ model, quantity }: Props) {
  useSignals();
  const isBad = model.isQuantityBad.value;
  const count = model.quantity.value;
  const remark = model.remark.value;
  return (
    <>
      {model.hasRemarks && (
        <div className="step">
          <div className="field">
            <label htmlFor="remark">备注</label>
            <textarea
              id="remark"
              name="remark"
              maxLength={500}
              rows={2}
              value={remark}
              onChange={(event) => model.writeRemark(event.target.value)}
            />
          </div>
        </div>
      )}
      <div className="step">
        <div className="field">
          <label htmlFor="quantity">数量（本）</label>
          <input
            ref={quantity}
            id="quantity"
            className="qty"
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
        </div>
      </div>
    </>
  );
}
