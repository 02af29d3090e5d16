import { describe, expect, test } from '@jest/globals';
import { findContradiction, type Step } from './wing-gong-lowe.ts';

/** A register of one number. */
const write = (value: number, invoked: number, returned = Number.POSITIVE_INFINITY): Step<number> => ({
  invoked,
  returned,
  changes: true,
  apply: () => value,
  describe: () => `write ${value}`,
});

const read = (value: number, invoked: number, returned: number): Step<number> => ({
  invoked,
  returned,
  changes: false,
  apply: (state) => (state === value ? state : undefined),
  describe: () => `read ${value}`,
});

const solve = (steps: readonly Step<number>[], maybe: readonly Step<number>[] = []) =>
  findContradiction({ initial: 0, steps, maybe, key: String });

describe('The search for an order', () => {
  test('The search finds an order for reads that overlap a write', () => {
    expect(solve([write(1, 0, 10), read(0, 1, 3), read(1, 4, 6)])).toBeUndefined();
  });

  test('The search finds no order if a read goes back to an older value', () => {
    const stuck = solve([write(1, 0, 10), read(1, 1, 3), read(0, 4, 6)]);
    expect(stuck?.next.map((step) => step.describe())).toContain('read 0');
    expect(stuck?.exhausted).toBe(false);
  });

  test('The search finds no order if a read misses a write that returned before it', () => {
    expect(solve([write(1, 0, 1), read(0, 2, 3)])).toBeDefined();
  });

  test('The search tries the writes in every order', () => {
    const writes = [write(1, 0, 10), write(2, 0, 10), write(3, 0, 10)];
    expect(solve([...writes, read(2, 11, 12)])).toBeUndefined();
    expect(solve([...writes, read(2, 2, 3), read(1, 4, 5), read(3, 6, 7), read(3, 11, 12)])).toBeUndefined();
    expect(solve([...writes, read(2, 2, 3), read(1, 4, 5), read(2, 6, 7)])).toBeDefined();
  });

  test('The search takes writes in their known order', () => {
    const [first, second] = [
      { ...write(1, 0, 10), order: 1 },
      { ...write(2, 0, 10), order: 2 },
    ];
    expect(solve([second, first, read(2, 11, 12)])).toBeUndefined();
    expect(solve([second, first, read(1, 11, 12)])).toBeDefined();
  });

  test('The search lets an unknown write happen late or never, but not before it began', () => {
    expect(solve([read(0, 5, 6)], [write(1, 0)])).toBeUndefined();
    expect(solve([read(0, 5, 6), read(1, 100, 101)], [write(1, 0)])).toBeUndefined();
    expect(solve([read(1, 5, 6)], [write(1, 7)])).toBeDefined();
    expect(solve([read(1, 5, 6), read(0, 7, 8)], [write(1, 0)])).toBeDefined();
  });

  test('The search reports that it gave up', () => {
    const steps = Array.from({ length: 18 }, (_, value) => write(value + 1, 0, 10));
    expect(solve([...steps, read(0, 11, 12)])?.exhausted).toBe(true);
  });
});
