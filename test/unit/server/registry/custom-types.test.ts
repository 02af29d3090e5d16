import { expect, it } from '@jest/globals';
import { CustomTypes } from '../../../../lib/server/index.ts';
import type { Store } from '../../../../lib/store/index.ts';
import { createMemoryApi } from '../../../support/service/memory-api.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const DEVICES = {
  metadata: { name: 'devices.fleet.example' },
  spec: {
    group: 'fleet.example',
    scope: 'Namespaced',
    names: { plural: 'devices', kind: 'Device' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

it('Concurrent requests that read a definition get the same type object', async () => {
  const api = await createMemoryApi();
  await api.ask('POST', DEFINITIONS, DEVICES);
  const { clock, world } = api.memory;
  const types = new CustomTypes(clock);
  const held = Promise.withResolvers<void>();
  const slow: Store = {
    ...world.store,
    list: async (...request) => {
      const page = await world.store.list(...request);
      await held.promise;
      return page;
    },
  };
  const late = types.current(slow);
  const early = await clock.during(types.current(world.store));
  held.resolve();
  const all = [early, await clock.during(late), await clock.during(types.current(world.store))];
  const [first, ...others] = all.map(({ find }) => find('fleet.example', 'v1', 'devices'));
  expect(first).toBeDefined();
  for (const other of others) expect(other).toBe(first);
});
