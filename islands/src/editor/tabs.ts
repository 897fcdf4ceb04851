// One tab of a browser writes a work; the others follow.
import { signal } from "@preact/signals-react";

interface News {
  revision: number;
}

export class Tabs {
  /** Whether this tab may write. */
  readonly isWriter = signal(false);
  readonly #name: string;
  readonly #channel: BroadcastChannel | undefined;
  #release: (() => void) | undefined;

  /** `heard` is told when another tab has saved. */
  constructor(work: string, heard: (revision: number) => void) {
    this.#name = `bindery-editor:${work}`;
    if (!("BroadcastChannel" in globalThis)) return;
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.onmessage = ({ data }: MessageEvent<News>) => heard(data.revision);
  }

  /** Becomes the writer if nobody is, and waits to become it when the other one goes. */
  async begin(): Promise<void> {
    if (!("locks" in navigator)) {
      this.isWriter.value = true;
      return;
    }
    await new Promise<void>((settled) => {
      void navigator.locks.request(this.#name, { ifAvailable: true }, async (lock) => {
        if (!lock) {
          settled();
          return;
        }
        this.isWriter.value = true;
        settled();
        await this.#held();
      }).catch(() => this.#lost());
    });
  }

  /** Takes the pen from the other tab. */
  take(): void {
    void navigator.locks.request(this.#name, { steal: true }, async () => {
      this.isWriter.value = true;
      await this.#held();
    }).catch(() => this.#lost());
  }

  #held(): Promise<void> {
    return new Promise((release) => (this.#release = release));
  }

  #lost(): void {
    this.isWriter.value = false;
  }

  /** Tells the others that there is a new revision. */
  tell(revision: number): void {
    this.#channel?.postMessage({ revision } satisfies News);
  }

  stop(): void {
    this.#release?.();
    this.#channel?.close();
  }
}
