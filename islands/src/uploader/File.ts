// One photo on its way.
import { signal } from "@preact/signals-react";

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
  /** Which photo it became. */
  photo = "";
  sha256 = "";

  readonly file: File;
  /** Tells it from its neighbours. */
  readonly key: number;

  constructor(file: File, key: number) {
    this.file = file;
    this.key = key;
  }

  refuse(reason: string): void {
    this.reason = reason;
    this.state.value = "refused";
  }

  settle(state: "taken" | "known", photo: string): void {
    this.photo = photo;
    this.sent.value = this.file.size;
    this.state.value = state;
  }
}

/** Whether nothing more happens to a photo. */
export const isOver = (state: State) => state === "taken" || state === "known" || state === "refused";
