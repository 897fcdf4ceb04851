// The member's photos, as far as the editor has asked for them: a library of thousands comes by parts, as it is looked at.
import { batch, signal } from "@preact/signals-react";
import type { EditorDesk, EditorPhoto, EditorPhotos } from "../generated/works.js";

/** Photos whose names hold what somebody looks for, the newest first. */
interface Found {
  ids: readonly string[];
  /** Whether the server has older ones. */
  isFurther: boolean;
}

export class Library {
  /** Every photo that was heard of, by its id. */
  readonly known = signal<ReadonlyMap<string, EditorPhoto>>(new Map());
  /** What was found so far, by what was looked for; nothing was looked for in the library as it is. */
  readonly #found = signal<ReadonlyMap<string, Found>>(new Map());
  readonly #ask: (search: string, last: string) => Promise<EditorPhotos>;

  constructor({ shown, newest }: Pick<EditorDesk, "shown"> & Partial<Pick<EditorDesk, "newest">>, ask: (search: string, last: string) => Promise<EditorPhotos>) {
    this.#ask = ask;
    this.learn(shown);
    if (newest) this.#add("", newest);
  }

  /** What is known to be found: nothing yet, where the server has to be asked. */
  found(search: string): Found | undefined {
    const all = this.#found.value.get("");
    if (search === "" || all === undefined || all.isFurther) return this.#found.value.get(search);
    const known = this.known.value;
    const sought = search.toLowerCase();
    return { ids: all.ids.filter((id) => known.get(id)?.name.toLowerCase().includes(sought)), isFurther: false };
  }

  /** Asks for what comes next. */
  async further(search: string): Promise<void> {
    const last = this.#found.peek().get(search)?.ids.at(-1) ?? "";
    this.#add(search, await this.#ask(search, last));
  }

  /** Photos have come to the library: it is looked at anew, until these are known. */
  async come(photos: readonly string[]): Promise<void> {
    const newest = await this.#ask("", "");
    batch(() => {
      this.#found.value = new Map();
      this.#add("", newest);
    });
    const isMissing = () => photos.some((photo) => !this.known.peek().has(photo));
    while (isMissing() && this.#found.peek().get("")?.isFurther) await this.further("");
  }

  #add(search: string, { photos, isFurther }: EditorPhotos): void {
    batch(() => {
      this.learn(photos);
      const ids = [...new Set([...(this.#found.peek().get(search)?.ids ?? []), ...photos.map(({ id }) => id)])];
      this.#found.value = new Map(this.#found.peek()).set(search, { ids, isFurther });
    });
  }

  /** Photos that somebody else has found are known, too. */
  learn(photos: readonly EditorPhoto[]): void {
    this.known.value = new Map([...this.known.peek(), ...photos.map((photo): [string, EditorPhoto] => [photo.id, photo])]);
  }
}
