import type { Found } from './peers/protocol.ts';

/** Two engines gave different answers to the same question: nothing about their speed means anything then. */
export class DifferenceError extends Error {}

/** @throws DifferenceError */
export function expectSame(what: string, ours: Found, theirs: Found): void {
  if (ours.matches === theirs.matches && ours.hash === theirs.hash) return;
  throw new DifferenceError(`${what}: ours found ${describe(ours)}, theirs ${describe(theirs)}`);
}

function describe({ matches, hash }: Found): string {
  return `${matches} matches (${hash.toString(16)})`;
}
