import { randomBytes, randomUUID } from 'node:crypto';

/** The library's source of randomness. It is injected, so that a simulation can replay it. */
export interface Random {
  /** A version 4 UUID. */
  uuid(): string;
  /** A number in [0, 1). */
  fraction(): number;
  /** `length` characters of Kubernetes' suffix alphabet (no vowels, no look-alikes), as `generateName` appends. */
  suffix(length: number): string;
}

// The alphabet of k8s.io/apimachinery/pkg/util/rand: no vowels, so no words, and no 0, 1, 3.
const SUFFIX_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

export const systemRandom: Random = {
  uuid: () => randomUUID(),
  fraction: () => Math.random(),
  suffix: (length) =>
    Array.from(randomBytes(length), (byte) => SUFFIX_ALPHABET[byte % SUFFIX_ALPHABET.length]).join(''),
};
