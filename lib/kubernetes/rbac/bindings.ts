import type { User } from './access.ts';
import type { ClusterRoleBinding, Subject } from './objects.ts';
import { keysOf, subjectKey } from './subjects.ts';

/** A binding that applies to a user, and its first subject that matches the user. */
export interface Bound<Binding> {
  readonly binding: Binding;
  readonly subject: Subject;
}

/** The bindings of one namespace, or of the whole cluster, indexed by subject. */
export class Bindings<Binding extends ClusterRoleBinding> {
  readonly #namespace: string;
  readonly #byName = new Map<string, Binding>();
  readonly #names = new Map<string, Set<string>>();

  /** @param namespace `''` for bindings of the whole cluster */
  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  set(binding: Binding): void {
    const { name } = binding.metadata;
    this.delete(name);
    this.#byName.set(name, binding);
    for (const key of this.#keys(binding)) {
      const names = this.#names.get(key) ?? new Set();
      this.#names.set(key, names.add(name));
    }
  }

  delete(name: string): void {
    const binding = this.#byName.get(name);
    if (binding === undefined) return;
    this.#byName.delete(name);
    for (const key of this.#keys(binding)) {
      const names = this.#names.get(key);
      names?.delete(name);
      if (names?.size === 0) this.#names.delete(key);
    }
  }

  /** Returns all bindings, sorted by name. */
  all(): readonly Binding[] {
    return [...this.#byName].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, binding]) => binding);
  }

  /** Returns the bindings of a user, sorted by name. */
  of(user: User): Bound<Binding>[] {
    const keys = keysOf(user);
    const names = new Set(keys.flatMap((key) => [...(this.#names.get(key) ?? [])]));
    return [...names].sort().flatMap((name) => {
      const binding = this.#byName.get(name);
      const subject = binding?.subjects?.find((one) => this.#means(one, keys));
      return binding === undefined || subject === undefined ? [] : [{ binding, subject }];
    });
  }

  #means(subject: Subject, keys: readonly string[]): boolean {
    const key = subjectKey(subject, this.#namespace);
    return key !== undefined && keys.includes(key);
  }

  #keys({ subjects }: Binding): Set<string> {
    const keys = (subjects ?? []).map((subject) => subjectKey(subject, this.#namespace));
    return new Set(keys.filter((key) => key !== undefined));
  }
}
