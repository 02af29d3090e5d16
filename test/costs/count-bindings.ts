import { createBinder } from '../../lib/controllers/binding/index.ts';
import { type JsonObject, objectAt } from '../../lib/json/index.ts';
import { silentLogger as logger, TIMING } from '../../lib/platform/index.ts';
import { createStore } from '../../lib/store/index.ts';
import { startTable } from '../support/store/table.ts';
import type { RequestCounts } from './count-requests.ts';
import { type CountedClient, openClient } from './counted-client.ts';
import { createCounter, type Used } from './counting.ts';

const PODS = '/api/v1/namespaces/default/pods';
const NODE = {
  metadata: { name: 'node' },
  status: {
    allocatable: { cpu: '100', memory: '100Gi', pods: '110' },
    conditions: [{ type: 'Ready', status: 'True' }],
  },
};
const MORE = 4;
/** On no node that there is. */
const ELSEWHERE = { nodeSelector: { disk: 'ssd' } };

/** What it costs to have pods bound, by a process that has bound before. Counted as `countRequests` counts. */
export async function countBindings(): Promise<RequestCounts> {
  const { table: real, stop } = await startTable();
  try {
    const counter = createCounter();
    const client = openClient(counter, real);
    await client.prepare();
    await client.ask('POST', '/api/v1/nodes', NODE);
    await client.ask('PUT', '/api/v1/nodes/node/status', NODE);
    const table = counter.table(real);
    const { clock, random } = client;
    const outside = { clock, random, logger };
    const store = createStore({ ...outside, table });
    const hints = { announce: async () => {} };
    const binder = createBinder({ ...outside, table, store, hints, schedulerName: 'winnow' });
    const bound = async (...pods: readonly JsonObject[]): Promise<Used> => {
      for (const pod of pods) await client.ask('POST', PODS, pod);
      counter.take();
      await binder.bind({ waits: true, time: TIMING.placement });
      return counter.take();
    };
    const first = [podOf('first', {}), podOf('none-first', ELSEWHERE)];
    await bound(...first);
    const one = await bound(podOf('one', {}));
    const several = await bound(...Array.from({ length: 1 + MORE }, (_, at) => podOf(`more-${at}`, {})));
    const counts = {
      'a check without work': await bound(),
      'a pod is bound': one,
      'each further pod that waits with it': each(several, one),
      'a pod gets the condition that no node fits': await bound(podOf('none', ELSEWHERE)),
    };
    await refuseOther(client);
    return counts;
  } finally {
    await stop();
  }
}

/** @throws {Error} what was counted is something else */
async function refuseOther(client: CountedClient): Promise<void> {
  const [one, none] = await Promise.all(['one', 'none'].map((name) => client.ask('GET', `${PODS}/${name}`)));
  const { conditions } = objectAt(none?.status);
  const isTold = JSON.stringify(conditions ?? []).includes('Unschedulable');
  const isBound = objectAt(one?.spec).nodeName === 'node';
  if (!isBound || !isTold) throw new Error('nothing was bound, or nobody told');
}

function podOf(name: string, spec: JsonObject): JsonObject {
  const labels = { app: 'web', tier: 'front', env: 'prod', team: 'a' };
  const containers = [{ name: 'c', image: 'i' }];
  return { metadata: { name, labels }, spec: { schedulerName: 'winnow', containers, ...spec } };
}

function each(all: Used, one: Used): Used {
  const share = (of: keyof Used) => (all[of] - one[of]) / MORE;
  return {
    reads: share('reads'),
    writes: share('writes'),
    requests: share('requests'),
    sends: share('sends'),
  };
}
