import type { Bag, Handle } from './bag.ts';
import type { Complement } from './complement.ts';
import type { Entry } from './entries.ts';
import { IntColumn } from './int-column.ts';
import { IntLists } from './int-lists.ts';

const NOBODY = -1;
/** The most subscribers that are copied into records. For more, a record refers to their list. */
export const MOST_COPIED = 16;

/** The subscribers of each entry. Most entries have one subscriber, and no list. */
export class Subscribers {
  /** By entry: a handle, {@link NOBODY}, or below that `-2 - the list's number`. */
  readonly #first = new IntColumn(NOBODY);
  readonly #lists = new IntLists();
  #listCount = 0;
  readonly #freeLists: number[] = [];
  /** The handle's index in its list, by handle. */
  readonly #places = new IntColumn();

  get bytes(): number {
    return this.#first.bytes + this.#places.bytes + this.#lists.bytes;
  }

  count(entry: Entry): number {
    const first = this.#first.values[entry] ?? NOBODY;
    if (first >= NOBODY) return first === NOBODY ? 0 : 1;
    return this.#lists.length(-2 - first);
  }

  add(entry: Entry, handle: Handle): void {
    const first = this.#first.values[entry] ?? NOBODY;
    if (first === NOBODY) {
      this.#first.set(entry, handle);
      return;
    }
    this.#push(first > NOBODY ? this.#openList(entry, first) : -2 - first, handle);
  }

  remove(entry: Entry, handle: Handle): void {
    const first = this.#first.get(entry);
    if (first > NOBODY) {
      this.#first.set(entry, NOBODY);
      return;
    }
    const list = -2 - first;
    const { words } = this.#lists;
    const start = this.#lists.start(list);
    const length = this.#lists.length(list) - 1;
    const last = words[start + length] as Handle;
    const place = this.#places.get(handle);
    words[start + place] = last;
    this.#places.set(last, place);
    if (length > 1) {
      this.#lists.truncate(list, length);
      return;
    }
    this.#first.set(entry, words[start] as Handle);
    this.#lists.truncate(list, 0);
    this.#freeLists.push(list);
  }

  /** Appends an entry's subscribers; none where the entry was removed. */
  collect(entry: Entry, into: Bag): void {
    const first = this.#first.values[entry] as number;
    if (first > NOBODY) {
      into.push(first);
    } else if (first < NOBODY) this.collectMany(first, into);
  }

  /** Appends the subscribers of a negative {@link form}. */
  collectMany(form: number, into: Bag): void {
    const list = -2 - form;
    into.append(this.#lists.words, this.#lists.length(list), this.#lists.start(list));
  }

  /**
   * How a record represents the entry's subscribers: the number of copied handles, or the negative number of their
   * list.
   */
  form(entry: Entry): number {
    const count = this.count(entry);
    return count <= MOST_COPIED ? count : this.#first.get(entry);
  }

  /** Writes the handles of an entry with few subscribers. */
  copy(entry: Entry, into: Int32Array, at: number): void {
    const first = this.#first.get(entry);
    if (first > NOBODY) {
      into[at] = first;
      return;
    }
    const start = this.#lists.start(-2 - first);
    const length = this.#lists.length(-2 - first);
    for (let place = 0; place < length; place++) {
      into[at + place] = this.#lists.words[start + place] as Handle;
    }
  }

  /** Excludes the subscribers of `length` entries, from `start` on. */
  exclude(entries: Int32Array, start: number, length: number, complement: Complement): void {
    const first = this.#first.values;
    for (let at = start, end = start + length; at < end; at++) {
      const only = first[entries[at] as number] as number;
      if (only > NOBODY) {
        complement.excludes(only);
      } else if (only < NOBODY) this.#excludeList(-2 - only, complement);
    }
  }

  #excludeList(list: number, complement: Complement): void {
    const { words } = this.#lists;
    const start = this.#lists.start(list);
    const end = start + this.#lists.length(list);
    for (let at = start; at < end; at++) complement.excludes(words[at] as Handle);
  }

  #openList(entry: Entry, only: Handle): number {
    const list = this.#freeLists.pop() ?? this.#listCount++;
    this.#lists.reserve(list + 1);
    this.#first.set(entry, -2 - list);
    this.#push(list, only);
    return list;
  }

  #push(list: number, handle: Handle): void {
    this.#places.set(handle, this.#lists.length(list));
    const at = this.#lists.extend(list, 1);
    this.#lists.words[at] = handle;
  }
}
