import type { JsonValue } from '../../json/index.ts';
import { listElements } from './list-element.ts';
import type { PathElement } from './path-element.ts';
import type { ListShape } from './shape.ts';

/** The two values that one element of a merged list is made from. */
export interface MergedElement {
  readonly live: JsonValue | undefined;
  readonly applied: JsonValue | undefined;
}

/**
 * Returns the elements of the merged list in order. Elements of `applied` keep its order. Elements that only `live`
 * has stay between them, where `live` has them. Follows structured-merge-diff 4.6 step by step.
 */
export function mergeListElements(
  list: ListShape,
  live: readonly JsonValue[],
  applied: readonly JsonValue[],
): MergedElement[] {
  const left = listElements(list, live);
  const right = listElements(list, applied);
  return new ListMerge(left, right).run();
}

type Items = readonly (readonly [PathElement, JsonValue])[];

class ListMerge {
  readonly #left: Items;
  readonly #right: Items;
  readonly #live: ReadonlyMap<PathElement, JsonValue>;
  readonly #applied: ReadonlyMap<PathElement, JsonValue>;
  /** The remaining elements that both sides have, in the order of `applied`. */
  readonly #shared: PathElement[];
  readonly #done = new Set<PathElement>();
  readonly #merged: MergedElement[] = [];

  constructor(left: Items, right: Items) {
    this.#left = left;
    this.#right = right;
    this.#live = withoutRepeated(left);
    this.#applied = new Map(right);
    this.#shared = right.map(([element]) => element).filter((element) => this.#live.has(element));
  }

  run(): MergedElement[] {
    let [l, r] = [0, 0];
    while (l < this.#left.length || r < this.#right.length) {
      const live = this.#left[l];
      const applied = this.#right[r];
      if (live !== undefined && applied !== undefined) {
        if (live[0] === applied[0]) {
          this.#takeApplied(live[0]);
          this.#shared.shift();
          l += 1;
          r += 1;
          continue;
        }
        if (this.#isLaterShared(live[0])) {
          l += 1;
          continue;
        }
      }
      if (live !== undefined) {
        if (!this.#applied.has(live[0])) {
          this.#merged.push({ live: live[1], applied: undefined });
          l += 1;
          continue;
        }
        if (this.#done.has(live[0])) l += 1;
      }
      if (applied !== undefined) {
        this.#takeApplied(applied[0]);
        if (this.#shared[0] === applied[0]) this.#shared.shift();
        r += 1;
      }
    }
    return this.#merged;
  }

  /** Whether both sides have the element, and another shared element must come first. */
  #isLaterShared(element: PathElement): boolean {
    const [next] = this.#shared;
    return this.#applied.has(element) && next !== undefined && next !== element;
  }

  #takeApplied(element: PathElement): void {
    this.#done.add(element);
    this.#merged.push({ live: this.#live.get(element), applied: this.#applied.get(element) });
  }
}

/** Maps each element to its item. A repeated element maps to null. */
function withoutRepeated(items: Items): Map<PathElement, JsonValue> {
  const found = new Map<PathElement, JsonValue>();
  for (const [element, item] of items) found.set(element, found.has(element) ? null : item);
  return found;
}
