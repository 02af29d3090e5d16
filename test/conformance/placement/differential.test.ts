import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Chance } from './chance.ts';
import { type Cluster, Clusters } from './clusters.ts';
import { worldAfter } from './detour.ts';
import { askOracle, buildOracle } from './oracle.ts';
import { type Answer, answersOf, worldOf } from './our-answer.ts';
import { recording } from './recording.ts';
import { Tally } from './tally.ts';

/**
 * `PLACEMENT_CASES=100000 npm run test:conformance -- placement` compares that many clusters; `PLACEMENT_SEED`
 * compares others, and with `PLACEMENT_PROFILES=1` each has a random profile. `PLACEMENT_RECORD=1` writes the
 * recording that `npm test` replays.
 */
const CASES = Number(process.env.PLACEMENT_CASES ?? 10_000);
const SEED = Number(process.env.PLACEMENT_SEED ?? 1);
const PROFILES = process.env.PLACEMENT_PROFILES;
const BATCH = 500;
const RECORDED = { seed: 2026, clusters: 150 };
const BUILD_TIMEOUT = 1_800_000;
const TIMEOUT = 60_000 + 200 * CASES;

describe("Winnow's placement, compared with the framework and the plugins of kube-scheduler", () => {
  beforeAll(buildOracle, BUILD_TIMEOUT);

  it(
    `Winnow places the pods of ${CASES} clusters from seed ${SEED} as kube-scheduler does`,
    () => {
      const clusters = new Clusters(SEED, PROFILES === undefined ? undefined : Number(PROFILES));
      const chance = new Chance(SEED);
      const tally = new Tally();
      for (let done = 0; done < CASES; done += BATCH) {
        const asked = Array.from({ length: Math.min(BATCH, CASES - done) }, () => clusters.next());
        for (const [at, theirs] of askOracle(asked).entries()) {
          const cluster = asked[at] as Cluster;
          const before = asked[at - 1];
          // Every other world was another cluster before, if nodes agree on image sizes. Otherwise the order of nodes
          // matters.
          const canDetour = at % 2 === 1 && !before?.disagreesOnImages && !cluster.disagreesOnImages;
          const world = before && canDetour ? worldAfter(before, cluster, chance) : worldOf(cluster);
          expectSame(cluster, answersOf(cluster, world), theirs);
          tally.add(theirs);
        }
      }
      expect(tally.least).toBeGreaterThan(CASES / 200);
    },
    TIMEOUT,
  );

  it(
    "The recording that npm test replays equals the oracle's answers",
    () => {
      const clusters = new Clusters(RECORDED.seed);
      const asked = Array.from({ length: RECORDED.clusters }, () => clusters.next());
      const recorded = askOracle(asked).map((answers, at) => ({ cluster: asked[at] as Cluster, answers }));
      if (process.env.PLACEMENT_RECORD !== undefined) recording.write(recorded);
      expect(recording.read()).toEqual(JSON.parse(JSON.stringify(recorded)));
    },
    TIMEOUT,
  );
});

/** Compares without `expect` first, which would take minutes for so many answers. */
function expectSame(cluster: Cluster, ours: readonly Answer[], theirs: readonly Answer[]): void {
  for (const [at, pod] of cluster.asked.entries()) {
    if (!isDeepStrictEqual(ours[at], theirs[at])) {
      expect({ pod, cluster, ...ours[at] }).toEqual({ pod, cluster, ...theirs[at] });
    }
  }
}
