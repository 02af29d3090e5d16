/**
 * Works on items side by side, at most so many at once. Returns the results in the order of the items; undefined for
 * those that were not begun before the signal aborted.
 */
export async function inPool<Item, Result>(
  items: readonly Item[],
  { most, signal }: { readonly most: number; readonly signal: AbortSignal },
  work: (item: Item) => Promise<Result>,
): Promise<readonly (Result | undefined)[]> {
  const results: (Result | undefined)[] = items.map(() => undefined);
  const waiting = items.entries();
  const run = async () => {
    for (const [at, item] of waiting) {
      if (signal.aborted) return;
      results[at] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, run));
  return results;
}
