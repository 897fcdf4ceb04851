// The panels, which are needed when the pages stand: one part of the program, as they share most of what they are made of.
import "../../runtime/base.js";
import "../base.js";

export { default as Checks } from "./Checks.js";
export { default as Overview } from "./Overview.js";
export { default as Properties } from "./Properties.js";
export { default as Tray } from "./Tray.js";
export { WholeCover } from "./WholeCover.js";
