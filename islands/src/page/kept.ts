import { note, type Last } from "./here.js";

/**
 * Forgets what the browser keeps of a member who signs out; the prefix is that of the runtime's storage. Pages that it kept are
 * nobody's from now on: whoever goes back may be quicker than the script of the page that comes.
 */
export function forgetKept(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith("desk:")) localStorage.removeItem(key);
    note("", localStorage as Last);
  } catch {
    // a storage that is switched off keeps nothing
  }
}
