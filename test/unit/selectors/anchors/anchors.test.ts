import { describe, expect, it } from '@jest/globals';
import {
  anchorChoices,
  anchorsMet,
  everything,
  nothing,
  parseSelector,
} from '../../../../lib/selectors/index.ts';
import { Dice } from '../dice.ts';

const values = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`);

describe('the index terms of a selector', () => {
  it.each([
    ['app=web', [['app=web']]],
    ['app==web', [['app=web']]],
    ['app in (web)', [['app=web']]],
    ['app=', [['app=']]],
    ['app=web,env=prod', [['app=web'], ['env=prod']]],
    ['app=web,app in (web)', [['app=web']]],
    ['app=web,tier in (a,b)', [['app=web']]],
    ['tier in (a,b),zone in (x,y,z)', [['tier=a', 'tier=b']]],
    ['tier in (a,b),app', [['tier=a', 'tier=b']]],
    [
      `tier in (${values(16)})`,
      [
        values(16)
          .map((value) => `tier=${value}`)
          .sort(),
      ],
    ],
    [`tier in (${values(17)})`, [['tier']]],
    ['app,!canary', [['app']]],
    ['app,zone', [['app'], ['zone']]],
    ['size>3', [['size']]],
    ['size<3,size>1', [['size']]],
    ['!canary', [['*']]],
    ['app!=web', [['*']]],
    ['app notin (web,db)', [['*']]],
  ])('anchorChoices returns the index terms of %s', (text, choices) => {
    expect(anchorChoices(parseSelector(text))).toEqual(choices);
  });

  it('everything has the index term that all objects meet, and nothing has no index term', () => {
    expect(anchorChoices(everything)).toEqual([['*']]);
    expect(anchorChoices(nothing)).toEqual([[]]);
  });

  it('an object that matches a selector meets an index term of each choice', () => {
    const dice = new Dice(14);
    const part = () => {
      const key = dice.pick(['app', 'env', 'size', 'x/y']);
      const some = () => dice.pick(['1', '2', 'a', 'b', '']);
      return dice.pick([
        () => `${key}=${some()}`,
        () => `${key}!=${some()}`,
        () => `${key} in (${some()},${some()})`,
        () => `${key} notin (${some()},${some()})`,
        () => key,
        () => `!${key}`,
        () => `${key}>1`,
      ])();
    };
    let matched = 0;
    for (let round = 0; round < 5_000; round += 1) {
      const selector = parseSelector(
        values(1 + dice.below(3))
          .map(part)
          .join(','),
      );
      const keys = ['app', 'env', 'size', 'x/y'].filter(() => dice.chance(0.6));
      const labels = Object.fromEntries(keys.map((key) => [key, dice.pick(['1', '2', 'a', 'b', ''])]));
      if (!selector.matches(labels)) continue;
      matched += 1;
      const met = new Set(anchorsMet(labels));
      for (const choice of anchorChoices(selector)) {
        expect([`${selector}`, labels, choice.some((anchor) => met.has(anchor))]).toEqual([
          `${selector}`,
          labels,
          true,
        ]);
      }
    }
    expect(matched).toBeGreaterThan(500);
  });
});

describe('the index terms of an object', () => {
  it('an object meets two index terms for each label, and the one that all objects meet', () => {
    expect(anchorsMet({ app: 'web', 'x/y': '' })).toEqual(['app=web', 'app', 'x/y=', 'x/y', '*']);
    expect(anchorsMet({})).toEqual(['*']);
  });
});
