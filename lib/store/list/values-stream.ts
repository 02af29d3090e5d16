import type { Requirement } from '../../selectors/index.ts';
import type { ValuesRead } from '../contract.ts';
import { afterValue, nameAfter, nameRange, parseValueKey } from '../keys.ts';
import type { LabelEntry } from '../labels/index.ts';
import type { Candidate, CandidateStream } from './candidate-stream.ts';
import type { IndexStreamOptions } from './index-stream.ts';
import { SortedStream } from './sorted-stream.ts';
import { MOST_UNITED, unionOf } from './union-stream.ts';

export interface ValuesStreamOptions extends Omit<IndexStreamOptions, 'value'> {
  readonly requirement: Requirement;
}

/** The rows of one read that looks for values, and the maximum number of such reads. */
const LOOK = 25;
const MOST_LOOKS = MOST_UNITED + 1;
/** The maximum number of entries that are read and sorted, and of pages for that. A page is 1 MB at most. */
const MOST_SORTED = 5_000;
const MOST_PAGES = 4;
/** The number of reads of the values of a requirement, if another requirement has few values. */
const LOOKS_BESIDE = 4;

/**
 * A stream of the objects that meet a requirement on many values (exists, `>`, `<`, a long `in`). The entries of a
 * label key are sorted by value first, so they have to be brought into the order of names:
 *
 *   few values     skipping behind each value finds them; then each value is a stream in the order of names
 *   few entries    all of them are read, and sorted
 *   neither        the stream is blind: another requirement or the collection's rows must supply the names
 */
export class ValuesStream implements CandidateStream {
  readonly #options: ValuesStreamOptions;
  /** How the entries were read; undefined before they are read. */
  #read: ValuesRead | undefined;
  #inner: CandidateStream | undefined;

  constructor(options: ValuesStreamOptions) {
    this.#options = options;
  }

  get state(): CandidateStream['state'] {
    if (this.#inner !== undefined) return 'open';
    return this.#read?.how === 'too-many' ? 'blind' : 'dormant';
  }

  get ended(): boolean {
    return this.#inner?.ended ?? false;
  }

  get reach(): string {
    return this.#inner?.reach ?? '';
  }

  /** How the entries were read; undefined before the first read. */
  get read(): ValuesRead | undefined {
    return this.#read;
  }

  waiting(name: string): number {
    return this.#inner?.waiting(name) ?? 0;
  }

  async seek(from: string): Promise<Candidate | undefined> {
    if (this.state === 'dormant') await this.look();
    if (this.state === 'dormant') await this.sort(from);
    return this.#inner?.seek(from);
  }

  /** Opens the stream if there are few values, or few entries in total, and `most` reads show that. */
  async look(most: number = MOST_LOOKS): Promise<void> {
    const { table, entries, requirement } = this.#options;
    const values: string[] = [];
    let from = '!';
    for (let looks = 0; looks < most && values.length <= MOST_UNITED; looks += 1) {
      const page = await entries.read(table, { from, to: '~', limit: LOOK });
      if (looks === 0 && !page.more) return this.#openSorted(page.entries, '!');
      for (const { key, labels } of page.entries) {
        const { value } = parseValueKey(key);
        if (value !== values.at(-1) && requirement.matches(labels)) values.push(value);
        from = afterValue(value);
      }
      if (!page.more && values.length <= MOST_UNITED) return this.#openValues(values);
    }
  }

  /** Opens the stream if there are not too many entries; otherwise it is blind. */
  async sort(from: string): Promise<void> {
    const { table, entries } = this.#options;
    const read: LabelEntry[] = [];
    let place = '!';
    for (let pages = 0; pages < MOST_PAGES && read.length < MOST_SORTED; pages += 1) {
      const page = await entries.read(table, { from: place, to: '~', limit: MOST_SORTED - read.length });
      read.push(...page.entries);
      if (!page.more) return this.#openSorted(read, from);
      place = nameAfter(read.at(-1)?.key ?? '');
    }
    this.#read = { how: 'too-many', count: read.length };
  }

  #openSorted(entries: readonly LabelEntry[], from: string): void {
    const { requirement, namespace } = this.#options;
    const range = nameRange(namespace);
    this.#read = { how: 'sorted', count: entries.length };
    this.#inner = new SortedStream(
      entries.filter(
        ({ nameKey, labels }) =>
          nameKey >= from && nameKey >= range.from && nameKey <= range.to && requirement.matches(labels),
      ),
    );
  }

  #openValues(values: readonly string[]): void {
    this.#read = { how: 'values', count: values.length };
    this.#inner = unionOf(this.#options, values);
  }
}

/**
 * Reads as little as possible of requirements on many values, and only if that helps. The others, `exact`, have each
 * read a page.
 */
export async function openSome(
  many: readonly ValuesStream[],
  exact: readonly CandidateStream[],
  from: string,
): Promise<void> {
  await Promise.all(many.map((stream) => stream.look(exact.length > 0 ? LOOKS_BESIDE : undefined)));
  for (const stream of many) {
    if ([...exact, ...many].some(({ state }) => state === 'open')) break;
    await stream.sort(from);
  }
  await Promise.all(many.map((stream) => (stream.state === 'open' ? stream.seek(from) : undefined)));
}
