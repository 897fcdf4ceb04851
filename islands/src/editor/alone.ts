import type { Editor } from "./Model.js";

/** Gives the pages the whole screen, or the tools beside them their place again. */
export function setAlone(editor: Editor, isAlone: boolean): void {
  const holder = document.activeElement;
  editor.isAlone.value = isAlone;
  requestAnimationFrame(() => {
    // what is away now can't be where the keys go
    if (isAlone && holder instanceof HTMLElement && holder.getClientRects().length === 0) editor.focus(editor.page?.id);
  });
  editor.view.fitAll();
  editor.say(isAlone ? "只看书页，按 F 或“专注”回来" : "工具都回来了");
}

/** Brings the open pages back before something is done on them. The focus stays, unless it was on what is away now. */
export function leaveOverview(editor: Editor): void {
  if (!editor.isOverview.peek()) return;
  editor.isOverview.value = false;
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) editor.focus(editor.page?.id);
  });
}

/** Shows all spreads in small in the place of the open pages, or these again. */
export function setOverview(editor: Editor, isOpen: boolean): void {
  editor.setMode({ kind: "arrange" });
  // no key is to reach what nobody sees
  editor.select([], { quietly: true });
  editor.isOverview.value = isOpen;
  if (!isOpen) requestAnimationFrame(() => editor.focus(editor.page?.id));
  editor.say(isOpen ? "总览，所有书页" : "回到书页");
}
