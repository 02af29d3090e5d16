import { describe, expect, it } from '@jest/globals';
import { compact, World } from '../../../lib/placement/index.ts';
import { Chance } from '../../conformance/placement/chance.ts';
import { worldAfter } from '../../conformance/placement/detour.ts';
import { answersOf, objectsOf } from '../../conformance/placement/our-answer.ts';
import { recording } from '../../conformance/placement/recording.ts';
import { Tally } from '../../conformance/placement/tally.ts';

const SEED = 1;
const recorded = recording.read();

/** Recorded by test/conformance/placement, which compares far more clusters where Go is. */
describe('The recorded results of kube-scheduler 1.33.2 for generated clusters', () => {
  it('Each rule refuses nodes in the recording, and each ranks nodes', () => {
    const tally = new Tally();
    for (const { answers } of recorded) tally.add(answers);
    expect(recorded.length).toBeGreaterThan(100);
    expect(tally.least).toBeGreaterThan(0);
  });

  it('Winnow gives the same results', () => {
    for (const { cluster, answers } of recorded) expect(answersOf(cluster)).toEqual(answers);
  });

  it('A world with only the stored parts of objects gives the same results', () => {
    for (const { cluster, answers } of recorded) {
      const world = new World(cluster.profile);
      for (const [kind, object] of objectsOf(cluster)) world.set(kind, compact(kind, object) ?? object);
      expect(answersOf(cluster, world)).toEqual(answers);
    }
  });

  it('A world that changed gives the same results', () => {
    const chance = new Chance(SEED);
    const agreeing = recorded.filter(({ cluster }) => !cluster.disagreesOnImages);
    for (const [at, { cluster, answers }] of agreeing.entries()) {
      const before = agreeing[(at + 1) % agreeing.length]?.cluster ?? cluster;
      expect(answersOf(cluster, worldAfter(before, cluster, chance))).toEqual(answers);
    }
  });
});
