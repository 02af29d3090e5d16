import type { Handle } from './bag.ts';
import { HandleIndex, type MatchIndexOptions, type MatchIndexSize } from './handle-index.ts';
import type { Interest, MatchState, Transition } from './interest.ts';
import type { Matches } from './matches.ts';

/**
 * A reverse index of selectors: it finds the subscriptions that an object concerns. Subscriptions are added and
 * removed one at a time.
 *
 *     const index = new MatchIndex<string>();
 *     index.add('a', { selector: parseSelector('app=web,env in (prod,qa)') });
 *     index.transitions(undefined, { labels: { app: 'web', env: 'qa' } }); // { entered: ['a'], changed: [], left: [] }
 */
export class MatchIndex<Id = string> {
  readonly #index: HandleIndex;
  readonly #handles = new Map<Id, Handle>();
  readonly #ids: (Id | undefined)[] = [];

  constructor(options: MatchIndexOptions = {}) {
    this.#index = new HandleIndex(options);
  }

  get size(): number {
    return this.#handles.size;
  }

  has(id: Id): boolean {
    return this.#handles.has(id);
  }

  /** @throws RangeError when the id exists already */
  add(id: Id, interest: Interest): void {
    if (this.#handles.has(id)) throw new RangeError(`subscription ${String(id)} is in the index already`);
    const handle = this.#index.add(interest);
    this.#handles.set(id, handle);
    this.#ids[handle] = id;
  }

  /** Adds the subscription, or replaces its interest. */
  replace(id: Id, interest: Interest): void {
    const handle = this.#handles.get(id);
    if (handle === undefined) {
      this.add(id, interest);
    } else {
      this.#index.replace(handle, interest);
    }
  }

  /** Returns false when the id did not exist. */
  remove(id: Id): boolean {
    const handle = this.#handles.get(id);
    if (handle === undefined) return false;
    this.#handles.delete(id);
    this.#ids[handle] = undefined;
    this.#index.remove(handle);
    return true;
  }

  /** The subscription of a handle that {@link match} returned. Handles are small integers, reused after a removal. */
  idOf(handle: Handle): Id {
    return this.#ids[handle] as Id;
  }

  /**
   * Returns the subscriptions that an event concerns, by handle and without allocating. The result is borrowed; see
   * `HandleIndex.match`.
   */
  match(before: MatchState | undefined, after: MatchState | undefined): Matches {
    return this.#index.match(before, after);
  }

  /** Like {@link match}, but calls the visitor once for each subscription. The visitor must not call the index. */
  visit(
    before: MatchState | undefined,
    after: MatchState | undefined,
    visitor: (id: Id, transition: Transition) => void,
  ): void {
    const matches = this.match(before, after);
    for (const transition of ['entered', 'changed', 'left'] as const) {
      const { handles, start, end } = matches[transition];
      for (let at = start; at < end; at++) visitor(this.#ids[handles[at] ?? -1] as Id, transition);
    }
  }

  /** Like {@link match}, but returns new arrays of ids, which the caller may keep. */
  transitions(before: MatchState | undefined, after: MatchState | undefined): Record<Transition, Id[]> {
    const found: Record<Transition, Id[]> = { entered: [], changed: [], left: [] };
    this.visit(before, after, (id, transition) => found[transition].push(id));
    return found;
  }

  /** The subscriptions that select this object. */
  matching(state: MatchState): Id[] {
    return this.transitions(undefined, state).entered;
  }

  /** The size of the index, without the ids' own space. */
  measure(): MatchIndexSize {
    const size = this.#index.measure();
    // An element of an array, and an entry of a Map with its share of the table.
    return { ...size, bytes: size.bytes + this.#ids.length * (8 + 40) };
  }
}
