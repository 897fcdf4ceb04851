// The islands by name. Each is loaded when a page needs it, together with what all of them share.
import type { ReactElement } from "react";
import type { Island } from "../generated/islands.js";
import { lazy } from "./lazy.js";

export type Name = Island["name"];
type Props<N extends Name> = Extract<Island, { name: N }>["props"];

/** Draws an island once its data is there; undefined leaves the HTML that stands in its place. */
type Draw<P> = (props: P, host: HTMLElement) => Promise<ReactElement | undefined>;

interface Loaded<P> {
  draw: Draw<P>;
  mount: (host: HTMLElement, element: ReactElement) => () => void;
}

type Islands = { [N in Name]: () => Promise<Loaded<Props<N>> | undefined> };

const islands: Islands = {
  editor: island("editor", () => import("../editor/index.js")),
  "print-options": island("print-options", () => import("../print-options/index.js")),
  "qr-login": island("qr-login", () => import("../qr-login/index.js")),
  uploader: island("uploader", () => import("../uploader/index.js")),
};

/** An island's code; undefined when it can't be loaded and somebody has dealt with that. */
export function load<N extends Name>(name: N): ReturnType<Islands[N]> {
  return islands[name]() as ReturnType<Islands[N]>;
}

/** Begins to load an island that may soon be needed. */
export function preload(name: Name): void {
  void load(name);
}

function island<N extends Name>(name: N, code: () => Promise<{ default: Draw<Props<N>> }>) {
  return lazy(name, async () => {
    const [{ default: draw }, { mount }] = await Promise.all([code(), import("./mount.js")]);
    return { draw, mount };
  });
}
