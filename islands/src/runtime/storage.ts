// What the browser keeps, as JSON under the prefix `desk` (specification section 9). Where storage is switched off, the
// page goes on with its own memory.

const PREFIX = "desk:";
const memory = new Map<string, string>();

/** What is kept under a name, of any shape; undefined when there is nothing that can be read. */
export function read(name: string): unknown {
  try {
    const text = memory.get(name) ?? localStorage.getItem(PREFIX + name);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keeps a value; a full storage is cleared and the program goes on. */
export function write(name: string, value: unknown): void {
  const text = JSON.stringify(value);
  const store = () => {
    localStorage.setItem(PREFIX + name, text);
    memory.delete(name);
  };
  try {
    store();
  } catch (error) {
    memory.set(name, text);
    if (!(error instanceof DOMException && error.name === "QuotaExceededError")) return;
    try {
      localStorage.clear();
      store();
    } catch {
      // larger than an empty storage: memory has it
    }
  }
}

/** Forgets a name. */
export function forget(name: string): void {
  memory.delete(name);
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // what can't be written was never kept
  }
}

/** Calls back when another tab changes or forgets a name. Returns how to stop that. */
export function follow(name: string, changed: () => void): () => void {
  // a cleared storage has no key
  const listen = ({ key }: StorageEvent) => {
    if (key === null || key === PREFIX + name) changed();
  };
  addEventListener("storage", listen);
  return () => removeEventListener("storage", listen);
}
