// On a phone what is selected stays in sight: above the sheet of a panel and a keyboard on the screen, which leave the pages
// little room, and where the keys have gone.
import { effect, untracked } from "@preact/signals-react";
import { sideOf } from "./actions.js";
import type { PageModel } from "./Book.js";
import type { Rect, Size } from "./document.js";
import type { Point } from "./geometry.js";
import { boxOf } from "./gestures.js";
import type { Editor } from "./Model.js";

/** Pixels by which the stage becomes lower where something comes before it: browsers hide and show their own bars, too. */
const COVERED = 80;

/** Follows the stage and the selection. Returns how to end that. */
export function keepInSight(editor: Editor): () => void {
  const { view } = editor;
  let before: Size = { width: 0, height: 0 };
  /** What was seen before something was brought near. */
  let away: { zoom: number; pan: Point } | undefined;
  /** What was brought near last: whatever pushes or enlarges the pages since makes it another. */
  let near: Point | undefined;
  const forget = () => {
    if (view.pan.peek() !== near) away = undefined;
  };
  const bring = ({ page, rect, side }: Place) => {
    view.bring(page, rect, side);
    near = view.pan.peek();
  };
  const stage = effect(() => {
    const { width, height } = view.stage.value;
    untracked(() => {
      const by = width === before.width ? height - before.height : 0;
      before = { width, height };
      // a text that is written is brought near by its sheet
      if (Math.abs(by) < COVERED || !view.isNarrow.peek() || editor.mode.peek().kind === "write") return;
      forget();
      if (by > 0 && away) {
        view.show(away.zoom, away.pan);
        away = undefined;
        return;
      }
      const place = placeOf(editor);
      if (by > 0 || !place) return;
      away ??= { zoom: view.zoom.peek(), pan: view.pan.peek() };
      bring(place);
    });
  });
  const selection = effect(() => {
    if (editor.selection.value.length === 0) return;
    untracked(() => {
      const place = placeOf(editor);
      if (!place || !view.isNarrow.peek() || editor.isMoving.peek() || view.sees(place.page, place.rect)) return;
      forget();
      bring(place);
    });
  });
  const turning = effect(() => {
    // what was seen was another page
    if (view.number.value >= 0) away = undefined;
  });
  return () => {
    turning();
    stage();
    selection();
  };
}

interface Place {
  page: PageModel;
  rect: Rect;
  side: number;
}

/** Where what is selected stands. */
function placeOf(editor: Editor): Place | undefined {
  const selected = editor.selected.peek();
  const page = selected[0] && editor.book.pageOf(selected[0].id);
  return page && { page, rect: boxOf(selected), side: sideOf(selected) };
}
