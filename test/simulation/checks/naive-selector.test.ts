import { describe, expect, test } from '@jest/globals';
import type { Asked, Snapshot } from '../history.ts';
import { selectorOf } from './naive-selector.ts';

const WEB: Snapshot = {
  object: 'default/web',
  uid: 'u',
  rv: 2,
  token: 't',
  phase: 'Running',
  labels: { environment: 'production', tier: 'frontend', priority: '5', drained: '' },
};

const SELECTING: readonly Asked[] = [
  {},
  { labelSelector: '', fieldSelector: ' ' },
  { labelSelector: 'environment=production,tier==frontend' },
  { labelSelector: 'environment in (production, qa)' },
  { labelSelector: 'partition notin (a,b),environment notin (qa)' },
  { labelSelector: 'tier, !partition, ! other' },
  { labelSelector: 'partition!=a,drained=,drained in (,x)' },
  { labelSelector: 'priority>4,priority < 6' },
  {
    namespace: 'default',
    fieldSelector: 'metadata.name=web,metadata.namespace==default,status.phase!=Pending',
  },
];

const NOT_SELECTING: readonly Asked[] = [
  { namespace: 'defaul' },
  { labelSelector: 'environment=qa' },
  { labelSelector: 'environment=production,tier!=frontend' },
  { labelSelector: 'partition in (a,b)' },
  { labelSelector: 'environment notin (qa, production)' },
  { labelSelector: '!tier' },
  { labelSelector: 'partition' },
  { labelSelector: 'toString' },
  { labelSelector: 'priority>5' },
  { labelSelector: 'priority<5' },
  { labelSelector: 'tier>1' },
  { labelSelector: 'partition<1' },
  { fieldSelector: 'metadata.name!=web' },
  { fieldSelector: 'status.phase=Pending' },
];

describe('The naive selector', () => {
  test.each(SELECTING.map((asked) => [asked]))('The naive selector selects a match of %j', (asked) => {
    expect(selectorOf(asked)(WEB)).toBe(true);
  });

  test.each(NOT_SELECTING.map((asked) => [asked]))('The naive selector does not select with %j', (asked) => {
    expect(selectorOf(asked)(WEB)).toBe(false);
  });

  test('The naive selector throws an error for a text that it does not understand', () => {
    expect(() => selectorOf({ labelSelector: 'a = b c' })).toThrow('does not understand');
    expect(() => selectorOf({ fieldSelector: 'spec.other=x' })(WEB)).toThrow('does not know the field');
  });
});
