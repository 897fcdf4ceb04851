// What preflight found; each leads to the thing that it is about.
import { useSignals } from "@preact/signals-react/runtime";
import { useContext } from "react";
import type { EditorFinding } from "../../generated/works.js";
import { leaveOverview } from "../alone.js";
import { EditorContext } from "../context.js";
import type { Editor } from "../Model.js";

const WORDS = { serious: ["badge bad", "请处理"], warning: ["badge warn", "请留意"], note: ["badge", "提示"] } as const;

export default function Checks() {
  useSignals();
  const editor = useContext(EditorContext);
  const findings = editor.findings.value;
  return (
    <section className="checks">
      <h2>印前检查</h2>
      {findings.length === 0 && <p className="quiet">没有发现问题，可以付印。</p>}
      <ul className="findings">
        {findings.map((finding, place) => {
          const [className, label] = WORDS[finding.severity];
          return (
            <li key={place}>
              <span className={className}>{label}</span>{" "}
              <button type="button" className="link" onClick={() => go(editor, finding)}>{finding.message}</button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function go(editor: Editor, { page, element }: EditorFinding): void {
  leaveOverview(editor);
  const model = editor.book.page(page ?? "");
  if (model) editor.view.goTo(model.number.peek());
  if (element !== null && editor.book.element(element)) editor.select([element]);
}
