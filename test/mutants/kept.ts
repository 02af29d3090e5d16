import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEPT } from './targets.ts';

/** A table kept in a file between runs; what it says of a key holds as long as the key's state is the same. */
export class Kept<Value> {
  readonly #path: string;
  readonly #entries: Map<string, { readonly state: string; readonly value: Value }>;

  constructor(name: string) {
    this.#path = join(KEPT, `${name}.json`);
    this.#entries = new Map(Object.entries(readTable(this.#path)));
  }

  get(key: string, state: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry?.state === state ? entry.value : undefined;
  }

  /** What it said last, of whatever state. */
  last(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  set(key: string, state: string, value: Value): void {
    this.#entries.set(key, { state, value });
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  save(): void {
    mkdirSync(KEPT, { recursive: true });
    writeFileSync(this.#path, JSON.stringify(Object.fromEntries(this.#entries), null, 1));
  }
}

function readTable(path: string) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}

/** What stands for texts: equal for equal ones. */
export function stateOf(...texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 16);
}
