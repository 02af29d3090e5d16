import type { Collection } from '../../json/index.ts';
import type { Scope } from '../../kubernetes/rbac/index.ts';

/**
 * What a request sees: of each collection the objects of a scope. What its own right selects holds of everything that it
 * looks at; another right, of another collection, says what is seen of that.
 */
export class VisibleScopes {
  readonly #own: Scope | undefined;
  readonly #others = new Map<Collection, Scope | undefined>();

  /** @param own undefined: everything */
  constructor(own: Scope | undefined) {
    this.#own = own;
  }

  /** Undefined: all of its objects. */
  of(collection: Collection): Scope | undefined {
    return this.#others.has(collection) ? this.#others.get(collection) : this.#own;
  }

  /** From now on. */
  set(collection: Collection, scope: Scope | undefined): void {
    this.#others.set(collection, scope);
  }
}
