import type { Named } from '../objects.ts';

/** Objects by namespace and name. */
export class ByNamespace<T extends Named> {
  readonly #objects = new Map<string, Map<string, T>>();

  set(object: T): void {
    const { namespace = '', name = '' } = object.metadata ?? {};
    const objects = this.#objects.get(namespace) ?? new Map<string, T>();
    this.#objects.set(namespace, objects);
    objects.set(name, object);
  }

  delete({ namespace = '', name = '' }: { readonly namespace?: string; readonly name?: string }): void {
    const objects = this.#objects.get(namespace);
    objects?.delete(name);
    if (objects?.size === 0) this.#objects.delete(namespace);
  }

  find(namespace: string, name: string): T | undefined {
    return this.#objects.get(namespace)?.get(name);
  }

  *of(namespace: string): Iterable<T> {
    yield* this.#objects.get(namespace)?.values() ?? [];
  }
}
