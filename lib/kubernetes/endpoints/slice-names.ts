import { hash } from 'node:crypto';
import type { AddressType } from './addresses.ts';
import type { Service } from './objects.ts';

/** The letters of Kubernetes' generated name suffixes: no vowels, so that no words appear. */
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
const LENGTH = 5;

/**
 * A generator of names for new slices: `redis-x7k2p`. Names depend only on the Service and the existing slices. So a
 * process that repeats the work, or runs in parallel, does not create a slice twice.
 */
export class SliceNames {
  readonly #service: Service;
  readonly #taken: Set<string>;

  /** @param taken the names of existing slices, from any writer */
  constructor(service: Service, taken: Iterable<string>) {
    this.#service = service;
    this.#taken = new Set(taken);
  }

  next(type: AddressType): string {
    const { name, uid } = this.#service.metadata;
    for (let nth = 0; ; nth += 1) {
      const candidate = `${name}-${ending(`${uid} ${type} ${nth}`)}`;
      if (this.#taken.has(candidate)) continue;
      this.#taken.add(candidate);
      return candidate;
    }
  }
}

function ending(text: string): string {
  const bytes = hash('sha256', text, 'buffer').subarray(0, LENGTH);
  return [...bytes].map((byte) => LETTERS[byte % LETTERS.length]).join('');
}
