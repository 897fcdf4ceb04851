// What the editor asks the server. Formats are the contract's.
import type { EditorBetter, EditorDesk, EditorFilling, EditorFinding, EditorPhotos, EditorStyles, EditorWay, TextLines } from "../generated/works.js";
import { objectOf } from "../runtime/http/answer.js";
import { forms } from "../runtime/http/clients.js";
import type { Document, Element } from "./document.js";
import type { Operation } from "./edit.js";

export interface Current {
  revision: number;
  document: Document;
}

export interface Done {
  revision: number;
  /** Whether it has what somebody else did, too. */
  merged: boolean;
}

/** The other side of a conflict: the newest revision, and the number under which one's own is kept. */
export interface Conflict {
  revision: number;
  kept: number;
}

async function ask<T>(call: string, fields: Record<string, string>): Promise<T> {
  return (objectOf(await forms.get(call, fields, { accept: "application/json" })) as { data: T }).data;
}

export const calls = {
  document: (workID: string) => ask<Current>("/works/document", { workID }),

  desk: (workID: string) => ask<EditorDesk>("/works/desk", { workID }),

  /** Photos of the library whose name holds what is sought, the newest first, after the `last`. */
  photos: (workID: string, search: string, last: string) => ask<EditorPhotos>("/works/photos", { workID, search, last }),

  async findings(workID: string): Promise<EditorFinding[]> {
    return (await ask<{ list: EditorFinding[] }>("/works/findings", { workID })).list;
  },

  /** Sent again it is made once: the operations have names. */
  async edit(workID: string, base: number, operations: Operation[]): Promise<Done> {
    const fields = { workID, base: String(base), operations: JSON.stringify(operations) };
    const answer = await forms.post("/works/edit", fields, { accept: "application/json" });
    return (objectOf(answer) as { data: Done }).data;
  },

  async lines(workID: string, page: string, element: Element, signal: AbortSignal): Promise<TextLines> {
    const fields = { workID, page, element: JSON.stringify(element) };
    const answer = await forms.post("/works/lines", fields, { accept: "application/json", signal });
    return (objectOf(answer) as { data: { data: TextLines } }).data.data;
  },

  /** Other layouts of a page and the one that it faces. */
  async ways(workID: string, page: string): Promise<EditorWay[]> {
    return (await ask<{ list: EditorWay[] }>("/works/ways", { workID, page })).list;
  },

  /** Other layouts of a page by itself. */
  async layouts(workID: string, page: string): Promise<EditorWay[]> {
    return (await ask<{ list: EditorWay[] }>("/works/ways", { workID, page, alone: "true" })).list;
  },

  /** A page and the one that it faces, filled up with photos that the work does not show yet. */
  async filling(workID: string, page: string): Promise<EditorFilling> {
    return (await ask<{ data: EditorFilling }>("/works/filling", { workID, page })).data;
  },

  /** Better photos of the same moment for a frame. */
  async better(workID: string, page: string, element: string): Promise<EditorBetter> {
    return (await ask<{ data: EditorBetter }>("/works/better", { workID, page, element })).data;
  },

  /** What the whole book can have another one of. */
  async styles(workID: string, part: string): Promise<EditorStyles> {
    return (await ask<{ data: EditorStyles }>("/works/styles", { workID, part })).data;
  },

  /** Gives the whole book another style, over the newest revision; answers the one with it. */
  async restyle(workID: string, base: number, to: string): Promise<number> {
    const answer = await forms.post("/works/style", { workID, base: String(base), to }, { accept: "application/json" });
    return (objectOf(answer) as { data: Done }).data.revision;
  },

  /** Makes an earlier revision, or what was kept beside the work's line, the newest one. */
  async restore(workID: string, base: number, revision: number): Promise<void> {
    await forms.post(`/manager/opus/${workID}/revisions/${revision}/restoration`, { revision: String(base) });
  },
};

export type Calls = typeof calls;

/** The addresses of pictures. */
export const pictures = {
  page: (work: string, number: number, width: number, revision: number) =>
    `/manager/opus/${work}/page/${number === 0 ? "cover" : number}/${width}?r=${revision}`,
  /** A page as it would be in another layout: of both pages that are seen at once (`way`), or of its own. */
  tried: (work: string, number: number, revision: number, what: "way" | "layout", code: string) =>
    `/manager/opus/${work}/page/${number === 0 ? "cover" : number}/320?r=${revision}&${what}=${encodeURIComponent(code)}`,
  /** The whole cover, open. */
  cover: (work: string, width: number, revision: number) => `/manager/opus/${work}/cover/${width}?r=${revision}`,
  /** A page of the whole book in another style. */
  styled: (work: string, number: number, revision: number, code: string) =>
    `/manager/opus/${work}/page/${number === 0 ? "cover" : number}/320?r=${revision}&book=${encodeURIComponent(code)}`,
  backdrop: (work: string, page: string, width: number, revision: number) => `/manager/opus/${work}/backdrop/${page}/${width}?r=${revision}`,
  layer: (work: string, element: string, width: number, revision: number) => `/manager/opus/${work}/layer/${element}/${width}?r=${revision}`,
  photo: (photo: string, size: 320 | 1280) => `/manager/photo/${photo}/${size}`,
};

/** The width of a page's picture that is fine enough for so many pixels: a good deal finer, or letters would be seen to change
 * when layers take its place. */
export const widthFor = (pixels: number) => (pixels <= 200 ? 320 : pixels <= 520 ? 720 : 1280);
