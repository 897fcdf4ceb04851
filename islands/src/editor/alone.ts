import type { Editor } from "./Model.js";

/** Gives the pages the whole screen, or the tools beside them their place again. */
export function setAlone(editor: Editor, isAlone: boolean): void {
  editor.isAlone.value = isAlone;
  editor.view.fitAll();
  editor.say(isAlone ? "只看书页，按 F 或“专注”回来" : "工具都回来了");
}
