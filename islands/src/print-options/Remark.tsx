import { useSignals } from "@preact/signals-react/runtime";
import type { PrintOptions } from "./Model.js";

/** The step 备注, where something is written and nothing chosen. */
export function Remark({ model }: { model: PrintOptions }) {
  useSignals();
  const remark = model.remark.value;
  if (!model.hasRemarks) return null;
  return (
    <div className="step">
      <div className="field">
        <label htmlFor="remark">备注</label>
        <small className="limit" id="remark-limit">
          最多 500 字
        </small>
        <textarea
          id="remark"
          name="remark"
          maxLength={500}
          aria-describedby="remark-limit"
          rows={2}
          value={remark}
          onChange={(event) => model.writeRemark(event.target.value)}
        />
      </div>
    </div>
  );
}
