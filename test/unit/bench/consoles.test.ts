import { describe, expect, it } from '@jest/globals';
import { labelsOf } from '../../bench/console/pods.ts';
import { HASTE, Hand, PERSON, stepsOf } from '../../bench/consoles/hand.ts';
import { isWide, rowOf, titleOf } from '../../bench/consoles/k9s-screen.ts';
import { appOf, foundOf, podOf, SELECTOR, WANTED } from '../../bench/consoles/objects.ts';
import { isAhead, Results } from '../../bench/consoles/results.ts';

describe('Steps', () => {
  it('A key and a click are one step each', () => {
    expect(stepsOf({ key: 'Enter' })).toBe(1);
    expect(stepsOf({ click: 'Relabel' })).toBe(1);
  });

  it.each([
    ['environment=qa,ring=r2', 4],
    ['metadata.labels.environment=="qa"&&metadata.labels.ring=="r2"', 4],
    ['ring=x1', 2],
    ['99999', 1],
    ['', 0],
  ])('The text %s has %d words', (text, words) => {
    expect(stepsOf({ text })).toBe(words);
  });

  it('A hand adds the steps of its inputs', () => {
    const hand = new Hand(HASTE);
    hand.note({ key: '/' });
    hand.note({ text: 'a=b' });
    expect(hand.steps).toBe(3);
  });

  it('A hand without an input has no time', () => {
    expect(() => new Hand(HASTE).waited()).toThrow('without an input');
  });

  it('The time that a user takes for an input is not waited', async () => {
    const began = performance.now();
    const hand = new Hand(PERSON);
    await hand.takes(() => new Promise((resolve) => setTimeout(resolve, 100)));
    hand.restart();
    hand.note({ key: 'w' });
    await hand.takes(() => new Promise((resolve) => setTimeout(resolve, 100)));
    const waited = hand.waited();
    expect((performance.now() - began) / 1_000 - waited).toBeGreaterThan(0.18);
  });

  it('A restarted clock forgets the time before', async () => {
    const hand = new Hand(HASTE);
    hand.note({ key: 'w' });
    await new Promise((resolve) => setTimeout(resolve, 30));
    const before = hand.waited();
    hand.restart();
    expect(before).toBeGreaterThan(0.02);
    expect(hand.waited()).toBeLessThan(before);
    expect(hand.steps).toBe(1);
  });
});

describe('Screens of k9s', () => {
  const LIST = [
    ' Cluster: winnow                       <1> default',
    '┌────────── pods(default)[10,000] ──────────┐',
    '│ NAME↑      PF  READY  STATUS  AGE         │',
    '│ web-00000  ●   0/1    Pending  2m         │',
    '└────────────────────────────────────────────┘',
  ].join('\n');

  it('The title says the view and the count', () => {
    expect(titleOf(LIST)).toEqual({ view: 'pods', count: 10_000, filter: '' });
  });

  it('The title says the filter', () => {
    const title = '┌──── pods(default)[500] </environment=qa,ring=r2> ────┐';
    expect(titleOf(title)).toEqual({ view: 'pods', count: 500, filter: 'environment=qa,ring=r2' });
  });

  it('A description and a starting k9s have no title of a list', () => {
    expect(titleOf('┌──── Describe(default/web-00000) ────┐')).toBeUndefined();
    expect(titleOf('')).toBeUndefined();
  });

  it('A row is found by its whole name', () => {
    expect(rowOf(LIST, 'web-00000')).toMatch(/^web-00000 .* 2m$/);
    expect(rowOf(LIST, 'web-0000')).toBeUndefined();
  });

  it('Wide columns end with the labels', () => {
    expect(isWide(LIST)).toBe(false);
    expect(isWide('│ NAME↑  PF READY QOS LABELS  │')).toBe(true);
  });
});

describe('The objects', () => {
  it('The selector matches one pod in twenty', () => {
    const found = foundOf(10_000);
    expect(found).toHaveLength(500);
    expect(found[0]).toBe(12);
    expect(labelsOf(12)).toMatchObject(WANTED);
    expect(SELECTOR).toBe('environment=qa,ring=r2');
  });

  it('The owners of a pod follow from its name', () => {
    expect(podOf(982)).toEqual({ name: 'web-00982', deployment: 'app-22', replicaSet: 'app-22-7f9c' });
    expect(appOf('web-00982')).toEqual({ app: 'app-22' });
  });
});

describe('Results', () => {
  it('The result of a task is the median of its rounds', () => {
    const results = new Results();
    for (const seconds of [3, 1, 2]) results.add('find', { steps: 5, seconds });
    expect(results.of('find')).toEqual({ steps: 5, seconds: 2 });
    expect(results.of('live')).toBeUndefined();
  });

  it('Ahead means less time, and not more steps', () => {
    const ours = { steps: 2, seconds: 1 };
    expect(isAhead(ours, { steps: 2, seconds: 1.1 })).toBe(true);
    expect(isAhead(ours, { steps: 2, seconds: 1 })).toBe(false);
    expect(isAhead(ours, { steps: 1, seconds: 9 })).toBe(false);
  });

  it('A program that cannot do a task is behind', () => {
    expect(isAhead({ steps: 9, seconds: 9 }, undefined)).toBe(true);
    expect(isAhead(undefined, undefined)).toBe(false);
  });
});
