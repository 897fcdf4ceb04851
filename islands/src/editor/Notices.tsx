// What keeps somebody from going on, and the way out of it.
import { useSignals } from "@preact/signals-react/runtime";
import { useContext, useState } from "react";
import { SIGN_IN } from "../runtime/problem.js";
import { pictures } from "./calls.js";
import { EditorContext } from "./context.js";
import { pageName } from "./document.js";
import { pressing } from "./pressing.js";

export function Notices() {
  useSignals();
  const editor = useContext(EditorContext);
  const sent = editor.saver.sent.value;
  if (editor.isReplaced.value) return <p className="notice warn" role="alert">网站已更新，这一页停止写入，以免覆盖。<a href={location.href}>刷新页面</a>继续。</p>;
  if (!editor.tabs.isWriter.value) {
    return (
      <div className="notice warn" role="status">
        <p>这本书正在另一个标签页里编辑，这里只跟着显示。</p>
        <button type="button" className="button small" onClick={() => editor.tabs.take()}>到这里来编辑</button>
      </div>
    );
  }
  if (sent === "conflict") return <Conflict />;
  if (sent === "gone") return <p className="notice bad" role="alert">{(editor.saver.reason.value || "这本书已经不能编辑了").replace(/。$/, "")}。没有传上去的改动还留在本机。</p>;
  if (sent === "signed-out") {
    return (
      <p className="notice warn" role="alert">
        登录已过期，改动都存在本机。<a href={SIGN_IN.href} target="_blank">{SIGN_IN.text}</a>，登录以后自动接着保存。
      </p>
    );
  }
  return null;
}

/** Both sides changed the same: each is shown, and neither is lost. */
function Conflict() {
  useSignals();
  const editor = useContext(EditorContext);
  const [isBusy, setBusy] = useState(false);
  const conflict = editor.saver.conflict.value;
  const page = editor.view.open.value[0]?.page;
  if (!conflict || !page) return null;
  const { work } = editor.props;
  const number = page.number.value;
  const settle = (how: () => Promise<void>) => {
    setBusy(true);
    void how().finally(() => {
      setBusy(false);
      // the notice goes, and the button with it
      if (!editor.saver.conflict.peek()) editor.focus(page.id);
    });
  };
  const side = (title: string, revision: number) => (
    <figure>
      <img src={pictures.page(work, number, 320, revision)} alt={`${pageName(number)}，${title}`} />
      <figcaption>{title}</figcaption>
    </figure>
  );
  return (
    <section className="notice warn conflict" role="alert">
      <h2>同一处在别处也改过</h2>
      <p>两种改法都保留着，选一种继续；另一种以后也能在“所有版本”和作品页里找到。</p>
      <div className="sides">
        {side("别处的改法", conflict.revision)}
        {side("您的改法", conflict.kept)}
      </div>
      <div className="row">
        <button type="button" className="button primary small" {...pressing(!isBusy, () => settle(() => editor.winConflict()))}>用我的改法</button>
        <button type="button" className="button small" {...pressing(!isBusy, () => settle(() => editor.leaveConflict()))}>用别处的改法</button>
        <a href={`/manager/opus/${work}/comparison?before=${conflict.revision}&after=${conflict.kept}`} target="_blank" rel="noreferrer">逐页比较</a>
      </div>
    </section>
  );
}
