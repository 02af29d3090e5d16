import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../lib/json/index.ts';
import { Chance } from '../../conformance/placement/chance.ts';
import { createMemoryApi, type MemoryApi } from '../../support/service/memory-api.ts';
import { changeSomething } from './changes.ts';
import { derivedWorld } from './derived-world.ts';
import { naiveStatus, naiveTally, statusOf, toldBy } from './naive-counts.ts';
import { derived, naive } from './naive-endpoints.ts';
import { CORE, itemsOf, MERGE } from './requests.ts';

/** The number of changes. */
const CHANGES = Number(process.env.WINNOW_CHANGES ?? 4_000);
const AT_ONCE = 25;
const DEATHS = 0.02;
const SETS = '/apis/apps/v1/namespaces/default/replicasets';
const TALLIES = '/apis/winnow.dev/v1/namespaces/default/tallies';
const TIMEOUT = 3_600_000;

describe('derived slices, statuses and tallies', () => {
  it(
    `derived slices, statuses and tallies are correct after ${CHANGES} changes of their inputs and crashes of functions`,
    async () => {
      const api = await createMemoryApi();
      const chance = new Chance(1);
      const world = await derivedWorld(api, { chance: new Chance(2), deaths: DEATHS });
      for (const [name, spec] of Object.entries(TALLIED)) {
        await api.ask('POST', TALLIES, { metadata: { name }, spec });
      }
      let compared = 0;
      for (let made = 0; made < CHANGES; made += AT_ONCE) {
        for (let count = 0; count < AT_ONCE; count += 1) await changeAnything(api, chance);
        await world.settle();
        compared += await expectTruth(api);
      }
      // Nearly every round compares one of each of the three, and most rounds have a crash.
      expect(compared).toBeGreaterThan((2.5 * CHANGES) / AT_ONCE);
      expect(world.crashes()).toBeGreaterThan(CHANGES / AT_ONCE);
    },
    TIMEOUT,
  );
});

const TALLIED: Readonly<Record<string, JsonObject>> = {
  all: { resource: { resource: 'pods' }, labelSelector: 'app=a', groupBy: ['tier'] },
  ready: {
    resource: { resource: 'pods' },
    labelSelector: 'app=b',
    fieldSelector: 'Ready=True',
    groupBy: ['tier'],
  },
};

async function changeAnything(api: MemoryApi, chance: Chance): Promise<void> {
  const draw = chance.below(12);
  if (draw === 0) return changeSet(api, chance);
  if (draw === 1) return changeTally(api, chance);
  return changeSomething(api, chance);
}

async function changeSet(api: MemoryApi, chance: Chance): Promise<void> {
  const name = chance.pick(['r1', 'r2']);
  const app = chance.pick(['a', 'b']);
  const labels = { app, tier: 'x' };
  switch (chance.below(4)) {
    case 0:
      await api.send('DELETE', `${SETS}/${name}`);
      break;
    case 1:
      await api.send('PATCH', `${SETS}/${name}`, { spec: { replicas: chance.below(5) } }, MERGE);
      break;
    default: {
      const template = {
        metadata: { labels },
        spec: { containers: [{ name: 'c', image: 'i' }] },
      };
      const spec = { replicas: 2, selector: { matchLabels: { app } }, template };
      await api.send('POST', SETS, { metadata: { name }, spec });
    }
  }
}

async function changeTally(api: MemoryApi, chance: Chance): Promise<void> {
  const labelSelector = `app=${chance.pick(['a', 'b'])}`;
  const name = chance.pick(Object.keys(TALLIED));
  await api.send('PATCH', `${TALLIES}/${name}`, { spec: { labelSelector } }, MERGE);
}

/** Compares derived data with naive counts. Returns the number of Services, ReplicaSets and Tallies with a count. */
async function expectTruth(api: MemoryApi): Promise<number> {
  const [services = [], sets = [], tallies = [], pods = []] = [
    await api.ask('GET', `${CORE}/services`),
    await api.ask('GET', SETS),
    await api.ask('GET', TALLIES),
    await api.ask('GET', `${CORE}/pods`),
  ].map(itemsOf);
  let counted = 0;
  for (const service of services) {
    const told = await derived(api, service);
    expect(told).toEqual(await naive(api, service));
    counted += Math.min(told.slices.length, 1);
  }
  for (const set of sets) {
    expect(statusOf(set)).toEqual(naiveStatus(set, pods));
    counted += Math.min(Number(statusOf(set).replicas), 1);
  }
  for (const tally of tallies) {
    expect(toldBy(tally)).toEqual(naiveTally(tally, pods));
    counted += Math.min(Number(toldBy(tally).count), 1);
  }
  return counted;
}
