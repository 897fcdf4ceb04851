// One photo on its way.
import { batch, signal } from "@preact/signals-react";

/**
 * waiting: its turn has not come; checking: its SHA-256 is computed; sending; retrying: the line broke, the next try
 * waits; taken: in the library; known: it was there before; refused: it never will be.
 */
export type State = "waiting" | "checking" | "ready" | "sending" | "retrying" | "taken" | "known" | "refused";

export class Sending {
  readonly state = signal<State>("waiting");
  /** Bytes that the server has. */
  readonly sent = signal(0);
  /** Why it was refused. */
  reason = "";
  /** Which photo it is, from the moment that one stands in the library: whole, or as a small copy. */
  readonly photo = signal("");
  sha256 = "";
  /** A small copy is to go ahead. */
  wantsPreview = false;
  /** The server has an upload of it, so its bytes count there already. */
  isCounted = false;

  readonly file: File;
  /** Tells it from its neighbours. */
  readonly key: number;

  constructor(file: File, key: number) {
    this.file = file;
    this.key = key;
  }

  /** Bytes of room that it takes beside what the server counts. */
  get uncounted(): number {
    return this.isCounted ? 0 : this.file.size;
  }

  refuse(reason: string): void {
    this.reason = reason;
    this.state.value = "refused";
  }

  settle(state: "taken" | "known", photo: string): void {
    // one with a photo that is not over would look like a small copy
    batch(() => {
      this.photo.value = photo;
      this.sent.value = this.file.size;
      this.state.value = state;
    });
  }
}

/** Whether nothing more happens to a photo. */
export const isOver = (state: State) => state === "taken" || state === "known" || state === "refused";

/** How many photos are that far. */
export const count = (items: Sending[], state: State) => items.filter((item) => item.state.value === state).length;
