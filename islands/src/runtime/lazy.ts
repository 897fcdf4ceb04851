// Parts of the program that are loaded when they are needed.

/**
 * A loader for a part: it loads once, however often it is called. When that fails, the cancelable event `preload-error`
 * goes to the window (specification section 7): handled there, the answer is undefined, otherwise the error is thrown. A
 * later call tries again; browsers whose module map keeps failures need a new page for that.
 */
export function lazy<T>(name: string, start: () => Promise<T>): () => Promise<T | undefined> {
  let loading: Promise<T | undefined> | undefined;
  return () =>
    (loading ??= start().catch((error: unknown) => {
      loading = undefined;
      const unhandled = dispatchEvent(new CustomEvent("preload-error", { cancelable: true, detail: { name, error } }));
      if (unhandled) throw error;
      return undefined;
    }));
}
