import { describe, expect, it } from '@jest/globals';
import { barsOf, boundsText, gaugeOf, routeOf } from '../../../../console/tallies/groups.ts';

describe('The bars of a Tally', () => {
  it('The largest group comes first and has the longest bar', () => {
    const bars = barsOf(
      [
        { labels: { app: 'a' }, count: 2 },
        { labels: { app: 'b' }, count: 8 },
      ],
      ['app'],
    );
    expect(bars.map(({ values, share }) => [values[0], share])).toEqual([
      ['b', 1],
      ['a', 0.25],
    ]);
  });

  it('A group that lacks a label selects the objects without it', () => {
    const [bar] = barsOf([{ labels: { app: 'a' }, count: 1 }], ['app', 'tier']);
    expect(bar).toMatchObject({ values: ['a', null], selector: 'app=a,!tier' });
    expect(
      routeOf({ resource: { resource: 'pods' }, labelSelector: 'x=y' }, 'shop', 'app=a,!tier'),
    ).toMatchObject({
      kind: 'pods',
      namespace: 'shop',
      selector: 'x=y,app=a,!tier',
    });
  });

  it('A label with an empty value is no absent label', () => {
    expect(barsOf([{ labels: { app: '' }, count: 1 }], ['app'])[0]?.selector).toBe('app=');
  });
});

describe('The bounds of a Tally', () => {
  it('Bounds are put into words', () => {
    expect(boundsText({ min: 3, max: 8 })).toBe('3 to 8');
    expect(boundsText({ min: 3 })).toBe('at least 3');
    expect(boundsText({ max: 0 })).toBe('at most 0');
    expect(boundsText(undefined)).toBe('');
  });

  it('A count and its bounds share one scale, and none passes its end', () => {
    expect(gaugeOf(5)).toBeUndefined();
    const gauge = gaugeOf(5, { min: 10 });
    expect((gauge?.at ?? 0) * 2).toBeCloseTo(gauge?.min ?? 0);
    expect(gauge).not.toHaveProperty('max');
    for (const part of Object.values(gaugeOf(100, { min: 1, max: 3 }) ?? {})) expect(part).toBeLessThan(1);
    expect(gaugeOf(0, { max: 0 })).toEqual({ at: 0, max: 0 });
  });
});
