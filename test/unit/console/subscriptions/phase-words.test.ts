import { describe, expect, it } from '@jest/globals';
import { lagText, phaseWords } from '../../../../console/subscriptions/phase-words.ts';

describe('The phase of a Subscription in words', () => {
  it('A phase says what it means, and a failing one says what to do', () => {
    expect(phaseWords({ phase: 'Synced' }, false)).toMatchObject({ tone: 'enter', advice: '' });
    expect(phaseWords({ phase: 'Failing' }, false).advice).toContain('24 hours');
    expect(phaseWords({ phase: 'CatchingUp' }, false).meaning).toContain('snapshot');
  });

  it('A Subscription without a status waits for its queue', () => {
    expect(phaseWords(undefined, false)).toEqual(phaseWords({ phase: 'Pending' }, false));
  });

  it('A Subscription that stands still says whether the user or a condition stopped it', () => {
    const conditions = [{ type: 'Authorized', status: 'False' }];
    expect(phaseWords({ phase: 'Suspended' }, true).advice).toContain('Resume it');
    expect(phaseWords({ phase: 'Suspended', conditions }, false).advice).toContain('Authorized');
  });
});

describe('The lag of a Subscription in words', () => {
  it('A lag has the number of changes and the age of the oldest one', () => {
    expect(lagText(undefined)).toBe('–');
    expect(lagText({ changes: 0, seconds: 0 })).toBe('none');
    expect(lagText({ changes: 1, seconds: 2 })).toBe('1 change · 2 s');
    expect(lagText({ changes: 12_000, seconds: 600 })).toBe('12,000 changes · 10 min');
    expect(lagText({ changes: 3, seconds: 7_200 })).toBe('3 changes · 2 h');
  });
});
