import { describe, expect, it } from '@jest/globals';
import { PairTable } from '../../../lib/selectors/match-index/pair-table.ts';
import { Dice } from './dice.ts';

describe('a PairTable of the values of a key', () => {
  it.each([1, 2, 3])('a PairTable agrees with a Map after any adds and deletes (%s)', (seed) => {
    const dice = new Dice(seed);
    const texts = Array.from({ length: 4_000 }, (_, at) => `${dice.pick(['', 'v', 'é', 'prod-'])}${at}`);
    const values = ['', ...texts];
    const table = new PairTable(values);
    const model = new Map<string, number>();
    for (let step = 0; step < 40_000; step++) {
      const atom = 1 + dice.below(texts.length);
      const value = values[atom] ?? '';
      const found = table.find(value);
      // Comparing first saves a hundred thousand calls of the slow `expect`.
      if (found !== (model.get(value) ?? 0)) expect([value, found]).toEqual([value, model.get(value)]);
      if (!model.has(value)) {
        table.add(atom);
        model.set(value, atom);
      } else if (dice.chance(0.7)) {
        table.delete(atom);
        model.delete(value);
      }
    }
    expect(table.size).toBe(model.size);
    for (const value of texts) expect(table.find(value)).toBe(model.get(value) ?? 0);
    expect(table.find('nobody names this')).toBe(0);
  });

  it('a PairTable refuses to delete a value that it does not hold', () => {
    const table = new PairTable(['', 'prod', 'qa']);
    table.add(1);
    expect(() => table.delete(2)).toThrow(RangeError);
    expect(table.find('prod')).toBe(1);
  });

  it('a PairTable spreads values that were chosen to collide', () => {
    // The table's first hash is 0 for each of these values.
    const texts = ['', ...Array.from({ length: 1_000 }, (_, at) => '\0'.repeat(at + 1))];
    let looks = 0;
    const values = new Proxy(texts, {
      get: (target, key) => {
        looks++;
        return Reflect.get(target, key);
      },
    });
    const table = new PairTable(values);
    for (let atom = 1; atom < texts.length; atom++) table.add(atom);
    looks = 0;
    for (let atom = 1; atom < texts.length; atom++) expect(table.find(texts[atom] ?? '')).toBe(atom);
    expect(looks).toBeLessThan(1_100);
  });
});
