// What came of the chosen files: the work that they made, and what was not taken.
import { useSignals } from "@preact/signals-react/runtime";
import { type Sending, count } from "./File.js";
import type { Uploads } from "./Model.js";

/** The work that was laid out with small copies. */
export function Made({ model }: { model: Uploads }) {
  useSignals();
  const made = model.made.value;
  if (!made) return null;
  return (
    <div className="notice good" role="status">
      <p>
        版面已经排好：<a href={made.address} target="_blank">打开作品</a>
      </p>
      <p>{originals(model.isOver.value, model.lacking.value.length)}</p>
    </div>
  );
}

function originals(areOver: boolean, lacking: number): string {
  if (!areOver) return "原图还在上传，请不要关闭这个页面；到齐后才能下单。";
  return lacking > 0 ? "缺少的原图到齐后才能下单。" : "原图已经到齐，可以下单了。";
}

/** Photos of that work whose originals will not come by themselves, by name. */
export function Lacking({ model }: { model: Uploads }) {
  useSignals();
  const lacking = model.lacking.value;
  if (lacking.length === 0) return null;
  return (
    <div className="notice bad" role="alert">
      <h2>作品里有 {lacking.length} 张照片缺少原图</h2>
      <Reasons items={lacking} />
      <p>
        请在<a href="/manager/photos" target="_blank">素材</a>里重新选择这些照片，或在作品里换上别的照片。
      </p>
    </div>
  );
}

/** What was not taken, by name. */
export function Refused({ model }: { model: Uploads }) {
  useSignals();
  const [refused, taken] = [model.refused.value, count(model.items.value, "taken")];
  if (refused.length === 0) return null;
  return (
    <div className="notice bad" role="alert">
      <h2>
        {model.isOver.value && taken > 0 && `${taken} 张已上传，`}
        {refused.length} 个文件没有收下
      </h2>
      <Reasons items={refused} />
    </div>
  );
}

function Reasons({ items }: { items: Sending[] }) {
  return (
    <ul>
      {items.map((item) => (
        <li key={item.key}>
          {item.file.name}：{item.reason}
        </li>
      ))}
    </ul>
  );
}
