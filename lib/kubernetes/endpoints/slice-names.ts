import { hash } from 'node:crypto';
import type { AddressType } from './addresses.ts';
import type { Service } from './objects.ts';

/** The letters that Kubernetes ends generated names with: no vowels, so that no words come about. */
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
const LENGTH = 5;

/**
 * Names for new slices, always the same for the same Service and slices: who does the same work twice, or beside
 * another, makes no slice twice. `redis-x7k2p`.
 */
export class SliceNames {
  readonly #service: Service;
  readonly #taken: Set<string>;

  /** @param taken the existing slices, of any writer */
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
