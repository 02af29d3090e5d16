import type { LiveEvents } from './announcer.ts';
import type { LiveReader, LiveState, Matcher } from './live-reader.ts';
import type { Column } from './shape.ts';
import type { LiveObject } from './stored-object.ts';

/**
 * The part of a live set whose labels match a selector. Of an incomplete set it is the part of the held objects, so its
 * `count` counts only those.
 */
export class LiveView<Body> implements LiveReader<Body> {
  readonly #set: LiveReader<Body>;
  readonly #selector: Matcher;
  /** The snapshot of the set that {@link #shown} was filtered from. */
  #all: readonly LiveObject<Body>[] | undefined;
  #shown: readonly LiveObject<Body>[] = Object.freeze([]);

  constructor(set: LiveReader<Body>, selector: Matcher) {
    this.#set = set;
    this.#selector = selector;
  }

  get ready(): Promise<void> {
    return this.#set.ready;
  }

  get state(): LiveState {
    return this.#set.state;
  }

  get complete(): boolean {
    return this.#set.complete;
  }

  get count(): number {
    return this.snapshot().length;
  }

  get resourceVersion(): string | undefined {
    return this.#set.resourceVersion;
  }

  get columns(): readonly Column[] {
    return this.#set.columns;
  }

  readonly snapshot = (): readonly LiveObject<Body>[] => {
    const all = this.#set.snapshot();
    if (all === this.#all) return this.#shown;
    this.#all = all;
    const shown = all.filter((object) => this.#has(object));
    const isSame = shown.length === this.#shown.length && shown.every((one, at) => one === this.#shown[at]);
    if (!isSame) this.#shown = Object.freeze(shown);
    return this.#shown;
  };

  readonly subscribe = (observer: () => unknown): (() => void) => this.#set.subscribe(observer);

  get(name: string, namespace?: string): LiveObject<Body> | undefined {
    const object = this.#set.get(name, namespace);
    return object !== undefined && this.#has(object) ? object : undefined;
  }

  on<Name extends keyof LiveEvents<Body>>(name: Name, listener: LiveEvents<Body>[Name]): () => void {
    const leave = this.#listen({ [name]: listener });
    return () => {
      for (const one of leave) one();
    };
  }

  where(selector: Matcher): LiveReader<Body> {
    return new LiveView(this, selector);
  }

  /** An update of the set may bring an object into this part, or out of it. */
  #listen({ add, update, delete: left, synced, error }: Partial<LiveEvents<Body>>): (() => void)[] {
    const set = this.#set;
    const leave: (() => void)[] = [];
    if (add) leave.push(set.on('add', (object) => (this.#has(object) ? add(object) : undefined)));
    if (left) leave.push(set.on('delete', (object) => (this.#has(object) ? left(object) : undefined)));
    if (synced) leave.push(set.on('synced', synced));
    if (error) leave.push(set.on('error', error));
    if (add || update || left) {
      const changed: LiveEvents<Body>['update'] = (object, before) => {
        const isIn = this.#has(object);
        if (!this.#has(before)) return isIn ? add?.(object) : undefined;
        return isIn ? update?.(object, before) : left?.(before);
      };
      leave.push(set.on('update', changed));
    }
    return leave;
  }

  #has({ metadata }: LiveObject<Body>): boolean {
    return this.#selector.matches(metadata.labels ?? {});
  }
}
