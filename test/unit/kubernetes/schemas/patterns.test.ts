import { describe, expect, it } from '@jest/globals';
import { patternWeight } from '../../../../lib/kubernetes/schemas/pattern-weight.ts';
import { loadPatterns } from '../../../../lib/kubernetes/schemas/patterns.ts';

describe('a regular expression', () => {
  it.each([
    ['abc', 3],
    ['a{10}', 10],
    ['(ab){10}', 30],
    ['((a{10}){10}){10}', 1110],
    ['[a-z]{2,5}x{3,}', 8],
    [String.raw`\pL\p{Greek}`, 100],
    [String.raw`[\pL]{2}`, 102],
    ['(a', 2],
    [String.raw`\{3}`, 3],
    ['[]{3}(]{2}', 2],
    ['[[:alpha:]a]{2}', 2],
  ])('the pattern %s has the weight %d', (pattern, weight) => {
    expect(patternWeight(pattern)).toBe(weight);
  });

  it('a pattern with too many repetitions is refused before it is compiled', async () => {
    const patterns = await loadPatterns();
    expect(patterns.errorOf('a{1000}'.repeat(11))).toMatch('error parsing regexp: expression too large');
    expect(patterns.errorOf('a{1000}'.repeat(9))).toBeUndefined();
  });

  it('a pattern that needs a new state for each character stops at the work limit of one object', async () => {
    const patterns = await loadPatterns();
    const matches = patterns.test('[ab]*a[ab]{500}[cd]');
    patterns.refill();
    expect(matches('ab')).toBe(false);
    expect(() => matches('ab'.repeat(50_000))).toThrow('take too long for values of this size');
    patterns.refill();
    expect(matches(`a${'b'.repeat(500)}c`)).toBe(true);
  });
});
