import { useSignals } from "@preact/signals-react/runtime";
import { useEffect, useRef, useState } from "react";
import { Follow } from "./Follow.js";

const TEXTS = {
  waiting: "等待手机确认…",
  confirmed: "已确认，正在登录…",
  declined: "手机上拒绝了这次登录",
  expired: "二维码已过期",
};

export function QrLogin({ ask, left }: { ask: string; left: number }) {
  useSignals();
  const [follow] = useState(() => new Follow(ask, left));
  const form = useRef<HTMLFormElement>(null);
  // what was typed before the session ended goes through this door, too
  const [kept] = useState(() => document.querySelector<HTMLInputElement>(".fields [name=kept]")?.value);
  const state = follow.state.value;
  useEffect(() => {
    follow.start();
    return () => follow.stop();
  }, [follow]);
  useEffect(() => {
    if (state === "confirmed") form.current?.requestSubmit();
  }, [state]);
  const over = state === "expired" || state === "declined";
  return (
    <form ref={form} method="post" action={location.pathname} data-state={state}>
      <input type="hidden" name="way" value="qr" />
      <input type="hidden" name="ask" value={ask} />
      {kept && <input type="hidden" name="kept" value={kept} />}
      <p role="status">
        {TEXTS[state]} {over && <Refresh />}
      </p>
    </form>
  );
}

/** A new code in the place of the old one; what is typed beside it stays. */
function Refresh() {
  const [isBusy, setBusy] = useState(false);
  async function refresh() {
    setBusy(true);
    try {
      const answer = await fetch(location.pathname, { headers: { accept: "text/html" } });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("#qr");
      if (!fresh) throw new Error("no code");
      document.querySelector("#qr")?.replaceWith(fresh);
    } catch {
      location.reload();
    }
  }
  return (
    <button type="button" className="link" aria-busy={isBusy} onClick={() => void refresh()}>
      刷新
    </button>
  );
}
