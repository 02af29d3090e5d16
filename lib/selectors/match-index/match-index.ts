import type { Handle } from './bag.ts';
import { HandleIndex, type MatchIndexOptions, type MatchIndexSize } from './handle-index.ts';
import type { Interest, MatchState, Transition } from './interest.ts';
import type { Matches } from './matches.ts';

/**
 * Reverse matching: which subscriptions does this object concern? Subscriptions come and go one at a time.
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

  /** @throws RangeError when the id is there already */
  add(id: Id, interest: Interest): void {
    if (this.#handles.has(id)) throw new RangeError(`subscription ${String(id)} is in the index already`);
    const handle = this.#index.add(interest);
    this.#handles.set(id, handle);
    this.#ids[handle] = id;
  }

  /** Adds the subscription, or gives it another interest. */
  replace(id: Id, interest: Interest): void {
    const handle = this.#handles.get(id);
    if (handle === undefined) {
      this.add(id, interest);
    } else {
      this.#index.replace(handle, interest);
    }
  }

  /** False when the id was not there. */
  remove(id: Id): boolean {
    const handle = this.#handles.get(id);
    if (handle === undefined) return false;
    this.#handles.delete(id);
    this.#ids[handle] = undefined;
    this.#index.remove(handle);
    return true;
  }

  /** The subscription a handle of {@link match} stands for. Handles are small integers, reused after a removal. */
  idOf(handle: Handle): Id {
    return this.#ids[handle] as Id;
  }

  /** As `HandleIndex.match`: the subscriptions an event concerns, by handle and without allocating. Borrowed. */
  match(before: MatchState | undefined, after: MatchState | undefined): Matches {
    return this.#index.match(before, after);
  }

  /** As {@link match}, a call for each subscription. The visitor must not touch the index. */
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

  /** As {@link match}, as arrays of ids to keep. */
  transitions(before: MatchState | undefined, after: MatchState | undefined): Record<Transition, Id[]> {
    const found: Record<Transition, Id[]> = { entered: [], changed: [], left: [] };
    this.visit(before, after, (id, transition) => found[transition].push(id));
    return found;
  }

  /** Who selects this object? */
  matching(state: MatchState): Id[] {
    return this.transitions(undefined, state).entered;
  }

  /** How much the index holds, the ids' own space left out. */
  measure(): MatchIndexSize {
    const size = this.#index.measure();
    // An element of an array, and an entry of a Map with its share of the table.
    return { ...size, bytes: size.bytes + this.#ids.length * (8 + 40) };
  }
}
