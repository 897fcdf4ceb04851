// From millimetres to the screen: effects write styles, React draws nothing. And pictures, which come when they are decoded.
import { type ReadonlySignal, effect } from "@preact/signals-react";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Rect } from "./document.js";

interface Placed {
  frame: Rect;
  rotation: number;
}

/**
 * Where an element stands on its page, in pixels, or the least that may be pressed about its middle. Only what changes is written,
 * so that a push is a transform and no layout.
 */
export function place(node: HTMLElement, { frame, rotation }: Placed, scale: number, least = 0): void {
  const { style } = node;
  const [across, down] = [Math.max(frame.width * scale, least), Math.max(frame.height * scale, least)];
  const [width, height] = [`${across}px`, `${down}px`];
  if (style.width !== width) style.width = width;
  if (style.height !== height) style.height = height;
  const [x, y] = [frame.x * scale - (across - frame.width * scale) / 2, frame.y * scale - (down - frame.height * scale) / 2];
  style.transform = `translate(${x}px, ${y}px)${rotation === 0 ? "" : ` rotate(${rotation}deg)`}`;
}

/** A node that follows where something stands. */
export function usePlaced<T extends HTMLElement>(placed: ReadonlySignal<Placed>, scale: ReadonlySignal<number>, least = 0): RefObject<T | null> {
  const ref = useRef<T>(null);
  useLayoutEffect(
    () =>
      effect(() => {
        const [to, by] = [placed.value, scale.value];
        if (ref.current) place(ref.current, to, by, least);
      }),
    [placed, scale, least],
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

/** A picture of the press's and the revision that it shows, once it is decoded; the one before until then, and where none comes. */
export function useDecoded(wanted: string | undefined, drawn: number): { address: string; drawn: number } | undefined {
  const [shown, setShown] = useState<{ address: string; drawn: number }>();
  useEffect(() => {
    if (wanted === undefined) return;
    let isWanted = true;
    const next = new Image();
    next.src = wanted;
    next.decode().then(
      () => {
        if (isWanted) setShown({ address: wanted, drawn });
      },
      () => undefined,
    );
    return () => void (isWanted = false);
  }, [wanted, drawn]);
  return shown;
}
