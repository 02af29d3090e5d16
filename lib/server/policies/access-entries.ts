import type { JsonObject } from '../../json/index.ts';
import { type AccessEntry, readEntry } from './access-entry.ts';

/** All AccessEntries, by principal. */
export class AccessEntries {
  readonly #byName = new Map<string, AccessEntry>();
  readonly #names = new Map<string, ReadonlySet<string>>();

  set(name: string, body: JsonObject): void {
    this.delete(name);
    const entry = readEntry(body);
    if (entry === undefined) return;
    this.#byName.set(name, entry);
    this.#names.set(entry.principal, new Set([...this.#namesOf(entry.principal), name]));
  }

  delete(name: string): void {
    const entry = this.#byName.get(name);
    if (entry === undefined) return;
    this.#byName.delete(name);
    const others = [...this.#namesOf(entry.principal)].filter((other) => other !== name);
    if (others.length > 0) {
      this.#names.set(entry.principal, new Set(others));
    } else {
      this.#names.delete(entry.principal);
    }
  }

  /** The entry of a principal. If two exist, which the API prevents, it is the entry whose name sorts first. */
  of(principal: string): AccessEntry | undefined {
    const [first] = [...this.#namesOf(principal)].sort();
    return first === undefined ? undefined : this.#byName.get(first);
  }

  #namesOf(principal: string): ReadonlySet<string> {
    return this.#names.get(principal) ?? new Set();
  }
}
