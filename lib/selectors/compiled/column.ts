import type { Numbers } from './numbers.ts';
import { ABOVE, accepts, BELOW, LISTED, type Step } from './step.ts';

/**
 * One key's pairs in all label sets of a list. Each distinct pair has a code, so a step's result for a label set is
 * looked up by code.
 */
export class Column {
  readonly #vocabulary: Numbers;
  /** The code by label set; the array may be longer than the list. */
  #codes: Int32Array;
  /** The pair by code. Code 0 is pair 0, for label sets without the key. */
  readonly #pairs: number[] = [0];
  readonly #codeOf = new Map<number, number>([[0, 0]]);

  constructor(vocabulary: Numbers, capacity: number) {
    this.#vocabulary = vocabulary;
    this.#codes = new Int32Array(capacity);
  }

  /** The number of distinct pairs seen, including those that no label set has any more. */
  get seen(): number {
    return this.#pairs.length;
  }

  set(index: number, pair: number): void {
    if (index >= this.#codes.length) this.#grow(index);
    const known = this.#codeOf.get(pair);
    this.#codes[index] = known ?? this.#pairs.length;
    if (known !== undefined) return;
    this.#codeOf.set(pair, this.#pairs.length);
    this.#pairs.push(pair);
  }

  /**
   * Filters the first `count` label sets in `found` by a step, keeps their order, and returns the number left. It
   * writes every one and advances by 0 or 1: an unpredictable branch would cost more than all of this.
   */
  keep(step: Step, found: Int32Array, count: number): number {
    const codes = this.#codes;
    const verdicts = this.#judge(step);
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const index = found[at] as number;
      found[kept] = index;
      kept += verdicts[codes[index] as number] as number;
    }
    return kept;
  }

  /** The result by code: 1 where the step accepts the pair, else 0. */
  #judge(step: Step): Uint8Array {
    const { demand, pairs } = step;
    if (demand === ABOVE || demand === BELOW) {
      return Uint8Array.from(this.#pairs, (pair) => Number(accepts(step, pair, this.#vocabulary)));
    }
    const listed = demand === LISTED ? 1 : 0;
    const verdicts = new Uint8Array(this.#pairs.length).fill(1 - listed);
    for (const pair of pairs) {
      const code = this.#codeOf.get(pair);
      if (code !== undefined) verdicts[code] = listed;
    }
    return verdicts;
  }

  #grow(index: number): void {
    const codes = new Int32Array(Math.max(index + 1, this.#codes.length * 2));
    codes.set(this.#codes);
    this.#codes = codes;
  }
}
