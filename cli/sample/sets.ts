import type { SampleObject } from './sample-object.ts';

const devices = { group: 'fleet.example', resource: 'devices' };
const WINNOW = '/apis/winnow.dev/v1/namespaces';

/** The Subscription and the Tallies of the inventory. */
export const sampleSets: readonly SampleObject[] = [
  {
    collection: `${WINNOW}/default/subscriptions`,
    body: {
      metadata: { name: 'offline-in-production' },
      spec: {
        resource: devices,
        labelSelector: 'connectivity=offline,environment=production',
        start: 'snapshot',
      },
    },
  },
  {
    collection: `${WINNOW}/default/tallies`,
    body: {
      metadata: { name: 'online-by-site' },
      spec: { resource: devices, labelSelector: 'connectivity=online', groupBy: ['site'] },
    },
  },
  {
    collection: `${WINNOW}/shop/tallies`,
    body: {
      metadata: { name: 'web-ready' },
      spec: {
        resource: { resource: 'pods' },
        labelSelector: 'app=web,environment=production',
        fieldSelector: 'Ready=True',
        bounds: { min: 10 },
      },
    },
  },
];
