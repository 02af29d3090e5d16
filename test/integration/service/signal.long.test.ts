import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { type Service, startService } from '../../support/service/service.ts';
import { WatchStream } from '../../support/service/watch-stream.ts';

/** A collection for each watch: the poll of a collection that never changed is the slowest. */
const FRESH = [
  'configmaps',
  'secrets',
  'serviceaccounts',
  'limitranges',
  'resourcequotas',
  'endpoints',
  'leases',
];
const pathOf = (resource: string) =>
  `${resource === 'leases' ? '/apis/coordination.k8s.io/v1' : '/api/v1'}/namespaces/default/${resource}`;

let service: Service | undefined;

afterEach(async () => {
  await service?.stop();
  service = undefined;
});

/** The median time in ms from the answer of the first write to a collection until a watch has its event. */
async function medianWait(signal: boolean): Promise<number> {
  service = await startService({ signal });
  const { http } = service;
  await http.post('/api/v1/namespaces', { metadata: { name: 'warm' } });
  const waits: number[] = [];
  for (const resource of FRESH) {
    const path = pathOf(resource);
    const told = Promise.withResolvers<number>();
    const stream = await WatchStream.open(
      `${http.url}${path}?watch=true&resourceVersion=${await http.version(path)}`,
      { onEvent: () => told.resolve(performance.now()) },
    );
    await sleep(20);
    await http.post(path, { metadata: { name: 'first' } });
    const answered = performance.now();
    waits.push((await told.promise) - answered);
    expect(stream.told).toEqual(['ADDED first']);
    stream.leave();
  }
  return waits.toSorted((left, right) => left - right)[Math.floor(waits.length / 2)] ?? 0;
}

it('a write wakes the watches of a local run, unless the run has no signal', async () => {
  const withSignal = await medianWait(true);
  await service?.stop();
  const without = await medianWait(false);
  expect(withSignal).toBeLessThan(without / 2);
});
