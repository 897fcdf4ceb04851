import { useEffect, useRef, useState } from "react";
import { whenIdle } from "../runtime/idle.js";
import type { PrintOptions } from "./Model.js";

/**
 * A choice that nobody sees, while nothing happens: the first time, a browser compiles what runs, and looks for the font and
 * the shape of each character, but the first choice is to be seen at once like all others. Every text that a choice may
 * bring is set here.
 */
export function Rehearsal({ model }: { model: PrintOptions }) {
  const [isIdle, setIdle] = useState(false);
  const pressed = useRef<HTMLInputElement>(null);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  useEffect(() => {
    if (!isIdle) return;
    model.rehearse();
    pressed.current?.click();
  }, [isIdle, model]);
  if (!isIdle) return null;
  const { info } = model;
  const items = info.buzhou.flatMap((step) => step.items);
  const reasons = new Set([...items.map((item) => item.reason), ...info.exclusionReasons]);
  const moved = info.buzhou.flatMap((step) => step.items.map((item) => `已将${step.Name}改为${item.Name}`));
  return (
    <div className="rehearsal" aria-hidden="true">
      <input type="radio" ref={pressed} tabIndex={-1} onChange={() => undefined} />
      <div className="chips">
        <span>
          {[...reasons].map((reason) => (
            <small key={reason}>{reason}</small>
          ))}
        </span>
      </div>
      <p className="hint">{moved}</p>
      <div className="binding">
        <p>{items.map((item) => item.desc)}</p>
      </div>
      <p className="tips">{items.map((item) => item.tips)}</p>
    </div>
  );
}
