import { expect } from '@jest/globals';
import { type JsonObject, objectAt } from '../../../lib/json/index.ts';
import { TALLIES } from '../../../lib/kubernetes/lifecycle/index.ts';
import { targetResources } from '../../../lib/kubernetes/resource-types/index.ts';
import { prepareTally, validateTally } from '../../../lib/kubernetes/winnow/index.ts';
import { type Row, subscriptionKey } from '../../../lib/store/index.ts';
import { createMemoryWorld } from './memory-world.ts';
import { nameOf, PODS } from './watch-world.ts';

const NAME = nameOf('default/count');
const UID = 'uid-of-count';

/** A world in which the Tally `default/count` of pods can be made, edited and read. */
export async function createTallyWorld() {
  const memory = await createMemoryWorld();
  const { world } = memory;
  return {
    ...memory,
    /** Writes the Tally as the API would. */
    async tally(spec: JsonObject): Promise<void> {
      const sent = {
        apiVersion: 'winnow.dev/v1',
        kind: 'Tally',
        metadata: { ...NAME, uid: UID, generation: 1 },
        spec: { resource: { resource: 'pods' }, ...spec },
      };
      const body = prepareTally(sent, undefined);
      expect(validateTally(body, undefined, targetResources)).toEqual([]);
      await world.write(TALLIES, NAME, () => body);
    },
    edit: (change: JsonObject) =>
      world.write(TALLIES, NAME, (current) => {
        const { metadata: was, spec: old } = current?.body ?? {};
        const generation = Number(objectAt(was).generation) + 1;
        return {
          ...current?.body,
          metadata: { ...objectAt(was), generation },
          spec: { ...objectAt(old), ...change },
        };
      }),
    status: async (): Promise<JsonObject> => objectAt((await world.store.get(TALLIES, NAME))?.body.status),
    row: (): Promise<Row | undefined> => world.table.get(subscriptionKey(PODS, UID)),
  };
}
