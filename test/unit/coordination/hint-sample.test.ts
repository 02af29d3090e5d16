import { describe, expect, it } from '@jest/globals';
import { HintSample } from '../../../lib/coordination/hint-sample.ts';
import { OwnedClock } from '../../support/clocks/owned-clock.ts';

/** Several writers with a sample each, at a given rate of writes a second; returns the hints of each second. */
function createWriters(count: number) {
  const clock = new OwnedClock();
  const samples = Array.from({ length: count }, () => new HintSample(clock));
  let rv = 1;
  return (rate: number, seconds: number): number[] =>
    Array.from({ length: seconds }, () => {
      let hints = 0;
      for (let write = 0; write < rate; write += 1) {
        clock.advance(1_000 / rate);
        rv += 1;
        if (samples[rv % count]?.has('core/pods', rv)) hints += 1;
      }
      return hints;
    });
}

describe('The sample of hints', () => {
  it('The sample contains all writes up to 200 a second', () => {
    expect(createWriters(7)(200, 5)).toEqual([200, 200, 200, 200, 200]);
  });

  it('The sample is smaller above that rate, as soon as the rate is known, and complete again afterwards', () => {
    const write = createWriters(7);
    const [first, ...others] = write(1_000, 5);
    expect(first).toBeGreaterThan(200);
    for (const hints of others.slice(1)) expect(hints).toBeLessThanOrEqual(201);
    for (const hints of others) expect(hints).toBeGreaterThan(100);
    write(10, 3);
    expect(write(10, 2)).toEqual([10, 10]);
  });

  it('The sample of one collection does not depend on other collections', () => {
    const clock = new OwnedClock();
    const sample = new HintSample(clock, 1);
    sample.has('core/pods', 2);
    clock.advance(1_000);
    sample.has('core/pods', 1_002);
    expect([1_003, 2_000].map((rv) => sample.has('core/pods', rv))).toEqual([false, true]);
    expect([2, 3].map((rv) => sample.has('core/nodes', rv))).toEqual([true, true]);
  });
});
