import type { Change } from './change.ts';
import type { KubernetesObject } from './kubernetes-object.ts';

/** What listeners are told, by what they listen to. */
export interface Events<Kind extends KubernetesObject> {
  /** An object entered the set. */
  add: (object: Kind) => unknown;
  /** An object in the set changed. */
  update: (object: Kind, before: Kind) => unknown;
  /** An object left the set; here it is in its last state in it, as far as that is known. */
  delete: (object: Kind) => unknown;
  /** The set is complete: a snapshot or a LIST of it ended. */
  synced: () => unknown;
  /** A request or a listener failed; the replica tries again. Without a listener, errors go to stderr. */
  error: (error: Error) => unknown;
}

/** The listeners of a replica, by event. A listener may resolve later; the next one waits for it. */
export class Listeners<Kind extends KubernetesObject> {
  readonly #listeners: { readonly [Name in keyof Events<Kind>]: Set<Events<Kind>[Name]> } = {
    add: new Set(),
    update: new Set(),
    delete: new Set(),
    synced: new Set(),
    error: new Set(),
  };

  /** Gives what takes the listener away again. */
  on<Name extends keyof Events<Kind>>(name: Name, listener: Events<Kind>[Name]): () => void {
    this.#listeners[name].add(listener);
    return () => this.#listeners[name].delete(listener);
  }

  async tell(change: Change | { readonly kind: 'synced' }): Promise<void> {
    const { add, update, delete: left, synced } = this.#listeners;
    switch (change.kind) {
      case 'add':
        return each(add, (listener) => listener(change.object as Kind));
      case 'update':
        return each(update, (listener) => listener(change.object as Kind, change.before as Kind));
      case 'delete':
        return each(left, (listener) => listener(change.object as Kind));
      case 'synced':
        return each(synced, (listener) => listener());
      default:
        change satisfies never;
    }
  }

  /** Without a listener for errors, the error goes to stderr. */
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
