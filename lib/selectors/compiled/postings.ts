/** A list of integers for each of some ids, which are small integers; made once. */
export class Postings {
  /** All lists, one after another. */
  readonly items: Int32Array;
  /** By id, where its list starts; it ends where the next one starts. */
  readonly #starts: Int32Array;

  /** @param items of which each belongs to the id at the same place */
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

  /** Where the id's list starts among the items. */
  start(id: number): number {
    return id + 1 < this.#starts.length ? (this.#starts[id] as number) : 0;
  }

  /** Where it ends: at its start, where there is none. */
  end(id: number): number {
    return id + 1 < this.#starts.length ? (this.#starts[id + 1] as number) : 0;
  }
}
