// A colour: one of the theme's, which follows the theme, any, or what is usual.
import { useContext } from "react";
import { EditorContext } from "../context.js";
import { inkOf } from "../typography.js";

const INKS: [string, string][] = [
  ["text", "正文色"],
  ["strong", "标题色"],
  ["quiet", "淡色"],
  ["accent", "强调色"],
  ["light", "浅色"],
  ["paper", "纸色"],
];

interface Props {
  legend: string;
  value: string | undefined;
  /** What it is called not to say any. */
  none: string;
  disabled: boolean;
  onChange: (colour: string | null) => void;
}

export function InkField({ legend, value, none, disabled, onChange }: Props) {
  const editor = useContext(EditorContext);
  const page = editor.page;
  const look = page?.look.peek() ?? {};
  const own = value?.startsWith("#") ? value : undefined;
  return (
    <div className="inks" role="group" aria-label={legend}>
      <span aria-hidden="true">{legend}</span>
      <button type="button" className="none" aria-label={none} aria-pressed={value === undefined} disabled={disabled} onClick={() => onChange(null)} />
      {INKS.map(([name, words]) => (
        <button
          key={name}
          type="button"
          aria-label={words}
          aria-pressed={value === name}
          disabled={disabled}
          style={{ background: inkOf(editor, look, name) }}
          onClick={() => onChange(name)}
        />
      ))}
      <input
        type="color"
        aria-label={`${legend}，任意颜色`}
        disabled={disabled}
        value={own ?? (value ? inkOf(editor, look, value) : "#203864")}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}
