// On a phone what is selected stays in sight: above the sheet of a panel and a keyboard on the screen, which leave the pages
// little room, and where the keys have gone.
import { effect, untracked } from "@preact/signals-react";
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
  const stage = effect(() => {
    const { width, height } = view.stage.value;
    untracked(() => {
      const by = width === before.width ? height - before.height : 0;
      before = { width, height };
      // a text that is written is brought near by its sheet
      if (Math.abs(by) < COVERED || !view.isNarrow.peek() || editor.mode.peek().kind === "write") return;
      if (by > 0 && away) {
        view.show(away.zoom, away.pan);
        away = undefined;
        return;
      }
      const place = placeOf(editor);
      if (by > 0 || !place) return;
      away ??= { zoom: view.zoom.peek(), pan: view.pan.peek() };
      view.bring(place.page, place.rect);
    });
  });
  const selection = effect(() => {
    if (editor.selection.value.length === 0) return;
    untracked(() => {
      const place = placeOf(editor);
      if (place && view.isNarrow.peek() && !editor.isMoving.peek() && !view.sees(place.page, place.rect)) view.bring(place.page, place.rect);
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

/** Where what is selected stands. */
function placeOf(editor: Editor): { page: PageModel; rect: Rect } | undefined {
  const selected = editor.selected.peek();
  const page = selected[0] && editor.book.pageOf(selected[0].id);
  return page && { page, rect: boxOf(selected) };
}
