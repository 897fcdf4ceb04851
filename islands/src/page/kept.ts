/** Forgets what the browser keeps of a member who signs out; the prefix is that of the runtime's storage. */
export function forgetKept(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith("desk:")) localStorage.removeItem(key);
  } catch {
    // a storage that is switched off keeps nothing
  }
}
