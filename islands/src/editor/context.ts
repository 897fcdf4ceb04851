import { createContext } from "react";
import type { Machine } from "./Machine.js";
import type { Editor } from "./Model.js";

/** The editor that a component belongs to. */
export const EditorContext = createContext<Editor>(undefined as never);
/** Its hand. */
export const MachineContext = createContext<Machine>(undefined as never);
