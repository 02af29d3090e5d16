import type { Labels } from '../../../selectors/index.ts';
import { tooLarge } from '../../status/index.ts';
import type { FacetsRequest } from './read-facets.ts';

/** The most different labels that a request for every key counts, some 30 MB. */
const MOST_LABELS = 200_000;

/** A value of a label key, and the number of objects with it. */
export interface ValueCount {
  readonly value: string;
  readonly count: number;
}

/** A combination of values of some label keys, and the number of objects with it. */
export interface CellCount {
  /** A value for each key; null for objects without the label. */
  readonly values: readonly (string | null)[];
  readonly count: number;
}

/** The numbers of objects for each value of label keys, and for each combination of values. */
export class LabelCounts {
  readonly #keys: readonly string[] | undefined;
  readonly #values: Map<string, Map<string, number>>;
  readonly #cells: Map<string, number> | undefined;
  /** The number of different labels. */
  #labels = 0;

  constructor({ keys, isJoint }: FacetsRequest) {
    this.#keys = keys;
    this.#values = new Map((keys ?? []).map((key) => [key, new Map<string, number>()]));
    this.#cells = isJoint ? new Map() : undefined;
  }

  /**
   * Counts one object.
   *
   * @throws ApiError 413 the objects have too many different labels
   */
  add(labels: Labels): void {
    for (const key of this.#keys ?? Object.keys(labels)) {
      const value = labelOf(labels, key);
      if (value !== undefined) this.#count(key, value);
    }
    if (this.#cells === undefined || this.#keys === undefined) return;
    const cell = JSON.stringify(this.#keys.map((key) => labelOf(labels, key) ?? null));
    this.#cells.set(cell, (this.#cells.get(cell) ?? 0) + 1);
  }

  /** The keys with their values, most frequent first: in the order of the request, or by the number of objects. */
  get keys(): readonly (readonly [key: string, values: readonly ValueCount[]])[] {
    const all = [...this.#values].map(([key, values]) => [key, byFrequency(values)] as const);
    if (this.#keys !== undefined) return all;
    const sums = new Map(all.map(([key, values]) => [key, sum(values)]));
    return all.sort(
      ([left], [right]) => (sums.get(right) ?? 0) - (sums.get(left) ?? 0) || (left < right ? -1 : 1),
    );
  }

  /** The combinations, most frequent first; undefined if the request does not ask for them. */
  get cells(): readonly CellCount[] | undefined {
    return (
      this.#cells &&
      byFrequency(this.#cells).map(({ value, count }) => ({ values: JSON.parse(value), count }))
    );
  }

  #count(key: string, value: string): void {
    const counts = this.#values.get(key) ?? new Map<string, number>();
    this.#values.set(key, counts);
    const before = counts.get(value) ?? 0;
    if (before === 0 && this.#keys === undefined && ++this.#labels > MOST_LABELS) {
      throw tooLarge(
        `the objects have more than ${MOST_LABELS} different labels, which is the limit for facets=*; name label keys, or narrow the labelSelector`,
      );
    }
    counts.set(value, before + 1);
  }
}

/** The number of objects that have one of the values. */
export function sum(values: readonly ValueCount[]): number {
  return values.reduce((total, { count }) => total + count, 0);
}

/** A label key may equal the name of an inherited property. */
function labelOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

/** The values by frequency, the most frequent first; equally frequent ones in alphabetical order. */
function byFrequency(values: ReadonlyMap<string, number>): readonly ValueCount[] {
  return [...values]
    .map(([value, count]) => ({ value, count }))
    .sort((left, right) => right.count - left.count || (left.value < right.value ? -1 : 1));
}
