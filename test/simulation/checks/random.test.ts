import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Dice } from '../../integration/service/realistic/dice.ts';
import { DAMAGES } from './fixtures/random-damage.ts';
import { randomHistory } from './fixtures/random-history.ts';
import { check } from './index.ts';

const RIGHT = 100;
const DAMAGED = 40;

describe('Random histories', () => {
  test.each([[true], [false]])('A right random history violates nothing (certain: %s)', (certain) => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        expect(check(randomHistory(seed, { certain }))).toEqual([]);
      }),
      { numRuns: RIGHT },
    );
  });

  test.each(Object.entries(DAMAGES))('A damaged random history violates a guarantee: %s', (_, damage) => {
    let damages = 0;
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const history = damage(randomHistory(seed, { certain: true }), new Dice(seed));
        fc.pre(history !== undefined);
        damages += 1;
        expect(history && check(history)).not.toEqual([]);
      }),
      { numRuns: DAMAGED },
    );
    expect(damages).toBe(DAMAGED);
  });
});
