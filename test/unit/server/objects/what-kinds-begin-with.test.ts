import { beforeEach, describe, expect, it } from '@jest/globals';
import { type JsonObject, objectAt } from '../../../../lib/json/index.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';

const CORE = '/api/v1/namespaces/default';
const SOURCE = { kind: 'PersistentVolumeClaim', name: 'x', apiGroup: null };

let api: MemoryApi;

beforeEach(async () => {
  api = await createMemoryApi();
});

describe('The initial state of an object', () => {
  it('A pod with scheduling gates starts as not scheduled', async () => {
    const spec = { containers: [{ name: 'c', image: 'i' }], schedulingGates: [{ name: 'example.com/gate' }] };
    const { metadata, status } = await api.ask('POST', `${CORE}/pods`, { metadata: { name: 'p' }, spec });
    const { creationTimestamp: lastTransitionTime } = objectAt(metadata);
    expect(objectAt(status).conditions).toEqual([
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime,
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      },
    ]);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['an old source', { dataSource: SOURCE }, { dataSource: SOURCE, dataSourceRef: SOURCE }],
    ['a source', { dataSourceRef: SOURCE }, { dataSource: SOURCE, dataSourceRef: SOURCE }],
  ])('is that a claim with %s says it in both fields', async (_, source, expected) => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...source };
    const claim = await api.ask('POST', `${CORE}/persistentvolumeclaims`, { metadata: { name: 'v' }, spec });
    expect(objectAt(claim.spec)).toMatchObject(expected);
    const label = { metadata: { labels: { a: 'b' } } };
    const path = `${CORE}/persistentvolumeclaims/v`;
    await api.ask('PATCH', path, label, 'application/merge-patch+json');
  });
});
