/** Runs tasks one after the other, in the order of their calls. A failing task does not stop the next. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(task, task);
    this.#last = result.catch(() => {});
    return result;
  }
}

/**
 * Maps items with at most `width` calls under way at once. Returns the results in the order of the items. After a
 * failure it begins no further call, waits for those under way, and then rejects with the first failure.
 */
export async function mapBounded<Item, Result>(
  items: readonly Item[],
  width: number,
  map: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length);
  const pending = items.entries();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const [index, item] of pending) {
      if (failures.length > 0) return;
      try {
        results[index] = await map(item, index);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
