/** A list of integers for each id, where ids are small integers; immutable. */
export class Postings {
  /** All lists, one after another. */
  readonly items: Int32Array;
  /** The start of each id's list, by id. The list ends where the next one starts. */
  readonly #starts: Int32Array;

  /** @param items each belongs to the id at the same index of `ids` */
  constructor(ids: readonly number[], items: readonly number[]) {
    const most = ids.reduce((so, id) => Math.max(so, id), -1);
    const starts = new Int32Array(most + 2);
    for (const id of ids) starts[id + 1] = (starts[id + 1] as number) + 1;
    for (let id = 0; id <= most; id++) starts[id + 1] = (starts[id + 1] as number) + (starts[id] as number);
    this.#starts = starts;
    this.items = new Int32Array(items.length);
    const next = starts.slice();
    for (const [at, id] of ids.entries()) {
      const place = next[id] as number;
      this.items[place] = items[at] as number;
      next[id] = place + 1;
    }
  }

  /** The start of the id's list in `items`. */
  start(id: number): number {
    return id + 1 < this.#starts.length ? (this.#starts[id] as number) : 0;
  }

  /** The end of the id's list; equal to its start where there is none. */
  end(id: number): number {
    return id + 1 < this.#starts.length ? (this.#starts[id + 1] as number) : 0;
  }
}
