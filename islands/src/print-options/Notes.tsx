import { useSignals } from "@preact/signals-react/runtime";
import { useEffect, useState } from "react";
import { objectOf } from "../runtime/http/answer.js";
import { forms } from "../runtime/http/clients.js";
import type { PrintOptions } from "./Model.js";

/** What is to be known of what the chosen craft puts on the cover: too fine lines, with what was found and what holds. */
export function Notes({ model }: { model: PrintOptions }) {
  useSignals();
  const { cartID, info } = model;
  const shown = model.picture.value;
  const [found, setFound] = useState<{ shown: string; notes: string[] }>();
  useEffect(() => {
    if (shown === info.photoPath) return undefined;
    const end = new AbortController();
    void ask(cartID, shown, end.signal).then(
      (notes) => setFound({ shown, notes }),
      () => undefined,
    );
    return () => end.abort();
  }, [cartID, info, shown]);
  return (
    <div role="status">
      {(found?.shown === shown ? found.notes : []).map((note) => (
        <p key={note} className="notice warn">
          {note}
        </p>
      ))}
    </div>
  );
}

/** The picture's address says what is chosen. Who has no answer sees them on the proof, and before ordering. */
async function ask(cartID: string, shown: string, signal: AbortSignal): Promise<string[]> {
  const chosen = new URL(shown, location.href).searchParams;
  const query = { cartID, cnums: chosen.get("cnums") ?? "", artwork: chosen.get("artwork") ?? "" };
  const { data } = objectOf(await forms.get("/cart/artworkNotes", query, { signal })) as { data: { list: string[] } };
  return data.list;
}
