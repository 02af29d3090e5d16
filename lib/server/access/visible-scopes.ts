import type { Collection } from '../../json/index.ts';
import type { Scope } from '../../kubernetes/rbac/index.ts';

/**
 * The scope of a request for each collection. The scope of the request's own permission applies to every collection,
 * unless another permission set one for that collection.
 */
export class VisibleScopes {
  readonly #own: Scope | undefined;
  readonly #others = new Map<Collection, Scope | undefined>();

  /** @param own undefined means all objects */
  constructor(own: Scope | undefined) {
    this.#own = own;
  }

  /** The scope for a collection; undefined means all objects. */
  of(collection: Collection): Scope | undefined {
    return this.#others.has(collection) ? this.#others.get(collection) : this.#own;
  }

  /** Sets the scope for a collection, from now on. */
  set(collection: Collection, scope: Scope | undefined): void {
    this.#others.set(collection, scope);
  }
}
