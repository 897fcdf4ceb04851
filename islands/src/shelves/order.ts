/** What stands on the shelf, as forms name it, in its order. */
export function order(items: { dataset: { item?: string | undefined } }[]): string[] {
  return items.map(({ dataset }) => dataset.item ?? "");
}

/** Before which of the others something is that is held at a height: the first whose middle lies below it. */
export function over(others: { top: number; height: number }[], height: number): number {
  const at = others.findIndex(({ top, height: tall }) => height < top + tall / 2);
  return at < 0 ? others.length : at;
}
