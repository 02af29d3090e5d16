import type { Change } from './change.ts';
import type { NamedObject } from './kubernetes-object.ts';

/** The listener functions, by event. */
export interface Events<Kind extends NamedObject> {
  /** An object entered the set. */
  add: (object: Kind) => unknown;
  /** An object in the set changed. */
  update: (object: Kind, before: Kind) => unknown;
  /** An object left the set. The argument is its last state in the set, as far as it is known. */
  delete: (object: Kind) => unknown;
  /** The set is complete: a snapshot or a LIST has ended. */
  synced: () => unknown;
  /** A request or a listener failed. The replica retries. Without a listener, errors go to stderr. */
  error: (error: Error) => unknown;
}

/** The listeners of a replica, by event. A listener may be asynchronous; the next listener waits for it. */
export class Listeners<Kind extends NamedObject> {
  readonly #listeners: { readonly [Name in keyof Events<Kind>]: Set<Events<Kind>[Name]> } = {
    add: new Set(),
    update: new Set(),
    delete: new Set(),
    synced: new Set(),
    error: new Set(),
  };

  /** Adds a listener. Returns a function that removes it. */
  on<Name extends keyof Events<Kind>>(name: Name, listener: Events<Kind>[Name]): () => void {
    this.#listeners[name].add(listener);
    return () => this.#listeners[name].delete(listener);
  }

  async tell(change: Change | { readonly kind: 'synced' }): Promise<void> {
    const { add, update, delete: left, synced } = this.#listeners;
    switch (change.kind) {
      case 'add':
        return each(add, (listener) => listener(change.object as NamedObject as Kind));
      case 'update':
        return each(update, (listener) =>
          listener(change.object as NamedObject as Kind, change.before as NamedObject as Kind),
        );
      case 'delete':
        return each(left, (listener) => listener(change.object as NamedObject as Kind));
      case 'synced':
        return each(synced, (listener) => listener());
      default:
        change satisfies never;
    }
  }

  /** Reports an error. Without a listener for errors, it goes to stderr. */
  async tellError(error: unknown): Promise<void> {
    const told = error instanceof Error ? error : new Error(String(error));
    if (this.#listeners.error.size === 0) console.error(`replica: ${told.message}; trying again`);
    await each(this.#listeners.error, (listener) => listener(told));
  }
}

async function each<Listener>(
  listeners: Set<Listener>,
  call: (listener: Listener) => unknown,
): Promise<void> {
  for (const listener of listeners) await call(listener);
}
