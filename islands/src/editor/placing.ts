// From millimetres to the screen: effects write styles, React draws nothing.
import { type ReadonlySignal, effect } from "@preact/signals-react";
import { type RefObject, useLayoutEffect, useRef } from "react";
import type { Rect } from "./document.js";

interface Placed {
  frame: Rect;
  rotation: number;
}

/** Where an element stands on its page, in pixels. Only what changes is written, so that a push is a transform and no layout. */
export function place(node: HTMLElement, { frame, rotation }: Placed, scale: number): void {
  const { style } = node;
  const [width, height] = [`${frame.width * scale}px`, `${frame.height * scale}px`];
  if (style.width !== width) style.width = width;
  if (style.height !== height) style.height = height;
  style.transform = `translate(${frame.x * scale}px, ${frame.y * scale}px)${rotation === 0 ? "" : ` rotate(${rotation}deg)`}`;
}

/** A node that follows where something stands. */
export function usePlaced<T extends HTMLElement>(placed: ReadonlySignal<Placed>, scale: ReadonlySignal<number>): RefObject<T | null> {
  const ref = useRef<T>(null);
  useLayoutEffect(
    () =>
      effect(() => {
        const [to, by] = [placed.value, scale.value];
        if (ref.current) place(ref.current, to, by);
      }),
    [placed, scale],
  );
  return ref;
}

/** Runs an effect with a node for as long as it is there. */
export function useStyled<T extends HTMLElement>(write: (node: T) => void, needs: unknown[]): RefObject<T | null> {
  const ref = useRef<T>(null);
  useLayoutEffect(
    () =>
      effect(() => {
        if (ref.current) write(ref.current);
      }),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- what it reads of signals, it follows
    needs,
  );
  return ref;
}
