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
describe('what kube-scheduler 1.33.2 said of generated clusters', () => {
  it('has each rule refuse, and each tell nodes apart', () => {
    const tally = new Tally();
    for (const { answers } of recorded) tally.add(answers);
    expect(recorded.length).toBeGreaterThan(100);
    expect(tally.least).toBeGreaterThan(0);
  });

  it('is said here as well', () => {
    for (const { cluster, answers } of recorded) expect(answersOf(cluster)).toEqual(answers);
  });

  it('is said of a world that was told as little as is kept of objects', () => {
    for (const { cluster, answers } of recorded) {
      const world = new World(cluster.profile);
      for (const [kind, object] of objectsOf(cluster)) world.set(kind, compact(kind, object) ?? object);
      expect(answersOf(cluster, world)).toEqual(answers);
    }
  });

  it('is said of a world that was another before', () => {
    const chance = new Chance(SEED);
    const agreeing = recorded.filter(({ cluster }) => !cluster.disagreesOnImages);
    for (const [at, { cluster, answers }] of agreeing.entries()) {
      const before = agreeing[(at + 1) % agreeing.length]?.cluster ?? cluster;
      expect(answersOf(cluster, worldAfter(before, cluster, chance))).toEqual(answers);
    }
  });
});
