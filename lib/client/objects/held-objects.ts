import type { LiveObject } from './stored-object.ts';

/** A change of the held objects. */
export type HeldChange<Body> =
  | { readonly kind: 'add' | 'delete'; readonly object: LiveObject<Body> }
  | { readonly kind: 'update'; readonly object: LiveObject<Body>; readonly before: LiveObject<Body> };

/**
 * The objects that a live set holds in memory: all of the set, or its first ones, sorted by namespace and name. Of the
 * others it only knows how many there are.
 */
export class HeldObjects<Body> {
  readonly #most: number;
  #objects = new Map<string, LiveObject<Body>>();
  /** The key behind which no object is held; undefined if every object is held. */
  #bound: string | undefined;
  #count = 0;
  /** The keys in order, until an object comes or goes. */
  #keys: readonly string[] | undefined;
  #snapshot: readonly LiveObject<Body>[] | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  /** The number of objects in the set, held or not. */
  get count(): number {
    return this.#count;
  }

  get isComplete(): boolean {
    return this.#bound === undefined;
  }

  /** Whether so many held objects are gone that others should take their place. */
  get isThin(): boolean {
    return !this.isComplete && this.#objects.size < this.#most / 2;
  }

  get(name: string, namespace: string): LiveObject<Body> | undefined {
    return this.#objects.get(keyOf({ name, namespace }));
  }

  /** The held objects, sorted by namespace and name: the same frozen array until something changes. */
  snapshot(): readonly LiveObject<Body>[] {
    this.#keys ??= [...this.#objects.keys()].sort();
    this.#snapshot ??= Object.freeze(this.#keys.flatMap((key) => this.#objects.get(key) ?? []));
    return this.#snapshot;
  }

  /** Takes an object that entered the set, changed in it or was listed, and returns the changes. */
  put(object: LiveObject<Body>, isNew: boolean): HeldChange<Body>[] {
    const key = keyOf(object.metadata);
    const before = this.#objects.get(key);
    if (before !== undefined) {
      if (before.metadata.resourceVersion === object.metadata.resourceVersion) return [];
      this.#objects.set(key, object);
      this.#snapshot = undefined;
      return [{ kind: 'update', object, before }];
    }
    if (isNew || this.isComplete) this.#count += 1;
    if (this.#bound !== undefined && key > this.#bound) return [];
    this.#objects.set(key, object);
    this.#forgetOrder();
    const added: HeldChange<Body> = { kind: 'add', object };
    if (this.#objects.size <= this.#most) return [added];
    const last = this.#lastKey();
    const evicted = this.#objects.get(last);
    this.#objects.delete(last);
    this.#bound = this.#lastKey();
    return evicted === undefined || evicted === object ? [] : [added, { kind: 'delete', object: evicted }];
  }

  /** Takes an object that left the set, in its last state there, and returns the changes. */
  remove(object: LiveObject<Body>): HeldChange<Body>[] {
    const isHeld = this.#objects.delete(keyOf(object.metadata));
    if (isHeld || !this.isComplete) this.#count -= 1;
    if (this.#count === this.#objects.size) this.#bound = undefined;
    if (!isHeld) return [];
    this.#forgetOrder();
    return [{ kind: 'delete', object }];
  }

  /** Takes over the objects of a new list, and returns the difference. */
  replaceBy(fresh: HeldObjects<Body>): HeldChange<Body>[] {
    const changes: HeldChange<Body>[] = [];
    for (const [key, object] of this.#objects) {
      if (!fresh.#objects.has(key)) changes.push({ kind: 'delete', object });
    }
    for (const [key, object] of fresh.#objects) {
      const before = this.#objects.get(key);
      if (before === undefined) {
        changes.push({ kind: 'add', object });
      } else if (before.metadata.uid !== object.metadata.uid) {
        changes.push({ kind: 'delete', object: before }, { kind: 'add', object });
      } else if (before.metadata.resourceVersion !== object.metadata.resourceVersion) {
        changes.push({ kind: 'update', object, before });
      }
    }
    this.#objects = fresh.#objects;
    this.#bound = fresh.#bound;
    this.#count = fresh.#count;
    if (changes.length > 0) this.#forgetOrder();
    return changes;
  }

  #forgetOrder(): void {
    this.#keys = undefined;
    this.#snapshot = undefined;
  }

  #lastKey(): string {
    let last = '';
    for (const key of this.#objects.keys()) if (key > last) last = key;
    return last;
  }
}

/** No name has the separator, so keys sort by namespace, then by name. */
function keyOf({ namespace = '', name }: { readonly namespace?: string; readonly name: string }): string {
  return `${namespace}\0${name}`;
}
