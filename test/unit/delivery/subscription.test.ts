import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../../lib/json/index.ts';
import { targetResources } from '../../../lib/kubernetes/resource-types/index.ts';
import {
  prepareSubscription,
  readSubscription,
  validateSubscription,
} from '../../../lib/kubernetes/winnow/index.ts';
import { SelectorError } from '../../../lib/selectors/index.ts';

const OWN = 'arn:aws:sqs:eu-central-1:444455556666:theirs';
const ROLE = 'arn:aws:iam::111122223333:role/team/reader';
const PODS = { resource: { group: '', resource: 'pods' } };

/** The errors of a spec as `<type> <field>`. */
function errorsOf(spec: JsonValue, old?: JsonObject): string[] {
  const prepared = prepareSubscription({ metadata: {}, spec }, undefined);
  const before = old && prepareSubscription({ metadata: {}, spec: old }, undefined);
  return validateSubscription(prepared, before, targetResources).map(({ type, field }) => `${type} ${field}`);
}

/** Returns a selector of `bytes` bytes: values of 64 bytes each, with their commas, and one shorter value. */
function longSelector(bytes: number): string {
  const count = Math.floor((bytes - 'k in ()'.length) / 64);
  const values = Array.from({ length: count }, (_, index) => String(index).padStart(63, 'v'));
  const rest = bytes - 'k in ()'.length - 64 * count;
  return `k in (${[...values, 'w'.repeat(rest)].join(',')})`;
}

describe('The specification of a Subscription', () => {
  it.each<[string, JsonObject]>([
    ['the resource alone', {}],
    [
      'a selector',
      { selector: { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
    ],
    ['an empty selector', { selector: {} }],
    ['a selector as text', { labelSelector: 'app in (web,db),!canary' }],
    ['null for what is absent', { selector: null, labelSelector: null, fieldSelector: null, queue: null }],
    ['namespaces by their labels', { namespaceSelector: { matchLabels: { team: 'a' } } }],
    ['all namespaces that there are', { namespaceSelector: {}, namespaces: null }],
    ['no namespaceSelector', { namespaceSelector: null, namespaces: 'All' }],
    ['fields', { fieldSelector: 'status.phase!=Running,metadata.name=a' }],
    [
      'consumers',
      { consumers: [ROLE, 'arn:aws-cn:iam::111122223333:root', 'arn:aws:iam::111122223333:user/a/b@c'] },
    ],
    [
      'as many consumers as SQS takes',
      { consumers: Array.from({ length: 50 }, (_, index) => `${ROLE}${index}`) },
    ],
    ['the order of each object', { ordering: 'Object' }],
    ['a queue of its own', { queue: { arn: OWN } }],
    ['its token', { queue: { arn: `${OWN}.fifo`, token: 't' } }],
    ['no consumers', { consumers: null }],
    ['what is suspended', { suspend: true }],
    ['what is not', { suspend: null }],
    ['a Standard queue', { queue: { type: 'Standard' } }],
    ['all there is', { namespaces: 'All', start: 'snapshot', payload: 'Metadata', queue: { type: 'FIFO' } }],
  ])('a Subscription is valid with %s', (_, spec) => {
    expect(errorsOf({ ...PODS, ...spec })).toEqual([]);
  });

  it.each<[string, JsonValue, string[]]>([
    ['no spec', 'pods', ['Required spec.resource.resource']],
    ['no resource', {}, ['Required spec.resource.resource']],
    ['a resource that is text', { resource: 'pods' }, ['Required spec.resource.resource']],
    ['a resource there is not', { resource: { resource: 'gadgets' } }, ['Invalid spec.resource']],
    ['a group that is no text', { resource: { group: 5, resource: 'pods' } }, ['Invalid spec.resource']],
    ['an unknown field', { ...PODS, filter: 'x' }, ['Invalid spec.filter']],
    ['an unknown scope', { ...PODS, namespaces: 'Some' }, ['NotSupported spec.namespaces']],
    [
      'namespaces in two ways',
      { ...PODS, namespaces: 'Own', namespaceSelector: {} },
      ['Forbidden spec.namespaceSelector'],
    ],
    [
      'namespaces of what has none',
      { resource: { resource: 'nodes' }, namespaceSelector: {} },
      ['Forbidden spec.namespaceSelector'],
    ],
    [
      'a namespaceSelector that is none',
      { ...PODS, namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Has' }] } },
      ['Invalid spec.namespaceSelector.matchExpressions[0].operator'],
    ],
    [
      'a namespaceSelector as text',
      { ...PODS, namespaceSelector: 'a=b' },
      ['TypeInvalid spec.namespaceSelector'],
    ],
    ['its own namespace for what has none', { resource: { resource: 'nodes' } }, ['Invalid spec.namespaces']],
    ['two selectors', { ...PODS, selector: {}, labelSelector: 'a' }, ['Forbidden spec.labelSelector']],
    [
      'a bad selector',
      {
        ...PODS,
        selector: { matchLabels: { 'a b': 'x' }, matchExpressions: [{ key: 'a', operator: 'Near' }] },
      },
      ['Invalid spec.selector.matchLabels', 'Invalid spec.selector.matchExpressions[0].operator'],
    ],
    ['a selector that is no object', { ...PODS, selector: 5 }, ['TypeInvalid spec.selector']],
    ['a bad selector as text', { ...PODS, labelSelector: 'a in' }, ['Invalid spec.labelSelector']],
    ['a selector as a number', { ...PODS, labelSelector: 5 }, ['TypeInvalid spec.labelSelector']],
    ['a bad field selector', { ...PODS, fieldSelector: 'a' }, ['Invalid spec.fieldSelector']],
    [
      'a field that is not selectable',
      { ...PODS, fieldSelector: 'spec.x=1' },
      ['Invalid spec.fieldSelector'],
    ],
    ['a field selector as a list', { ...PODS, fieldSelector: [] }, ['TypeInvalid spec.fieldSelector']],
    ['another queue type', { ...PODS, queue: { type: 'LIFO' } }, ['NotSupported spec.queue.type']],
    ['a queue that is text', { ...PODS, queue: 'Standard' }, ['TypeInvalid spec.queue']],
    ['a misspelled queue type', { ...PODS, queue: { typ: 'Standard' } }, ['Invalid spec.queue.typ']],
    [
      'a queue of its own that is none',
      { ...PODS, queue: { arn: 'arn:aws:sqs:::q' } },
      ['Invalid spec.queue.arn'],
    ],
    ['an ARN that is no text', { ...PODS, queue: { arn: 5 } }, ['Invalid spec.queue.arn']],
    [
      'a queue of its own of a type',
      { ...PODS, queue: { arn: OWN, type: 'FIFO' } },
      ['Forbidden spec.queue.type'],
    ],
    ['a token that is no text', { ...PODS, queue: { arn: OWN, token: 5 } }, ['TypeInvalid spec.queue.token']],
    ['a token of a queue that is made', { ...PODS, queue: { token: 't' } }, ['Forbidden spec.queue.token']],
    [
      'consumers of a queue of its own',
      { ...PODS, queue: { arn: OWN }, consumers: [ROLE] },
      ['Forbidden spec.consumers'],
    ],
    ['a version to start at that is none', { ...PODS, start: '017' }, ['NotSupported spec.start']],
    ['a version to start at that is no text', { ...PODS, start: 17 }, ['NotSupported spec.start']],
    ['what selects by too much', { ...PODS, labelSelector: longSelector(150_001) }, ['Invalid spec']],
    ['another start', { ...PODS, start: 'then' }, ['NotSupported spec.start']],
    ['another payload', { ...PODS, payload: 'Diff' }, ['NotSupported spec.payload']],
    ['another ordering', { ...PODS, ordering: 'None' }, ['NotSupported spec.ordering']],
    [
      'an order of a Standard queue',
      { ...PODS, queue: { type: 'Standard' }, ordering: 'Object' },
      ['Forbidden spec.ordering'],
    ],
    ['a verify that is neither', { ...PODS, verify: 'yes', start: 'snapshot' }, ['TypeInvalid spec.verify']],
    ['what proves no set that is known', { ...PODS, verify: true }, ['Forbidden spec.verify']],
    [
      'what proves a set without an order',
      { ...PODS, start: 'snapshot', queue: { type: 'Standard' }, verify: true },
      ['Forbidden spec.verify'],
    ],
    [
      'what proves a set with many orders',
      { ...PODS, start: '17', ordering: 'Object', verify: true },
      ['Forbidden spec.verify'],
    ],
    ['a suspend that is neither', { ...PODS, suspend: 'yes' }, ['TypeInvalid spec.suspend']],
    ['consumers that are no list', { ...PODS, consumers: ROLE }, ['TypeInvalid spec.consumers']],
    [
      'consumers that are nobody, or everybody',
      { ...PODS, consumers: ['arn:aws:iam:::role/r', '*', 5, `${ROLE}*`, `x${ROLE}`, ROLE] },
      [0, 1, 2, 3, 4].map((index) => `Invalid spec.consumers[${index}]`),
    ],
    ['a consumer twice', { ...PODS, consumers: [ROLE, ROLE] }, ['Invalid spec.consumers[1]']],
    [
      'too many consumers',
      { ...PODS, consumers: Array.from({ length: 51 }, (_, index) => `${ROLE}${index}`) },
      ['Invalid spec.consumers'],
    ],
    [
      'much wrong at once',
      { resource: { resource: 'gadgets' }, start: 'then', payload: 'Diff' },
      ['Invalid spec.resource', 'NotSupported spec.payload', 'NotSupported spec.start'],
    ],
  ])('a Subscription is refused with %s', (_, spec, expected) => {
    expect(errorsOf(spec)).toEqual(expected);
  });

  it.each([
    ['a version to start at', { ...PODS, start: '17' }],
    ['references', { ...PODS, payload: 'Reference' }],
    ['what selects by as much as there is room for', { ...PODS, labelSelector: longSelector(150_000) }],
  ])('a Subscription may request %s', (_, spec) => {
    expect(errorsOf(spec)).toEqual([]);
  });

  it('a Subscription to Secrets selects only its own namespace, with any payload', () => {
    const resource = { group: '', resource: 'secrets' };
    expect(errorsOf({ resource })).toEqual([]);
    for (const payload of ['Object', 'Metadata', 'Reference']) {
      expect(errorsOf({ resource, payload, namespaces: 'All' })).toEqual(['Forbidden spec.namespaces']);
    }
    const namespaceSelector = { matchLabels: { team: 'a' } };
    expect(errorsOf({ resource, namespaceSelector, namespaces: null })).toEqual([
      'Forbidden spec.namespaceSelector',
    ]);
  });

  it('a Subscription cannot change its resource, queue and start', () => {
    const old = { ...PODS, queue: { type: 'FIFO' }, start: 'now' };
    const changed = {
      resource: { resource: 'nodes' },
      namespaces: 'All',
      queue: { type: 'Standard' },
      start: 'snapshot',
    };
    expect(errorsOf(changed, old)).toEqual([
      'Invalid spec.resource',
      'Invalid spec.queue',
      'Invalid spec.start',
    ]);
    const edited = { ...PODS, namespaces: 'All', selector: { matchLabels: { a: 'b' } }, payload: 'Metadata' };
    expect(errorsOf(edited, old)).toEqual([]);
  });

  it('an update may replace an absent field by null, and the other way round', () => {
    const said = { spec: { ...PODS, queue: null, start: null } };
    const unsaid = { spec: PODS };
    for (const [body, old] of [
      [said, unsaid],
      [unsaid, said],
    ] as const) {
      expect(validateSubscription(body, old, targetResources)).toEqual([]);
    }
  });

  it('a Subscription keeps its finalizer until it is being deleted', () => {
    const body = { metadata: { finalizers: [] }, spec: PODS };
    const finalizersWhere = (old: JsonObject) => prepareSubscription(body, { metadata: old }).metadata;
    expect(finalizersWhere({})).toEqual({ finalizers: ['winnow.dev/queue'] });
    expect(finalizersWhere({ deletionTimestamp: '2026-01-01T00:00:00Z' })).toEqual({ finalizers: [] });
  });

  it('readSubscription refuses an invalid Subscription', () => {
    for (const spec of [{ ...PODS, filter: 'x' }, { resource: { resource: 'gadgets' } }]) {
      expect(() => readSubscription({ spec }, targetResources)).toThrow(SelectorError);
    }
  });

  it('prepareSubscription adds defaults and one finalizer', () => {
    const body = {
      metadata: { finalizers: ['mine', 'winnow.dev/queue'] },
      spec: { ...PODS, payload: 'Metadata' },
    };
    expect(
      prepareSubscription({ metadata: {}, spec: { ...PODS, namespaceSelector: {} } }, undefined).spec,
    ).not.toHaveProperty('namespaces');
    const defaults = { namespaces: 'Own', start: 'now', queue: { type: 'FIFO' } };
    expect(prepareSubscription(body, undefined)).toEqual({
      metadata: { finalizers: ['mine', 'winnow.dev/queue'] },
      spec: { ...PODS, ...defaults, payload: 'Metadata' },
    });
  });

  it('a Subscription without a selector, or with null, selects everything', () => {
    const specs: JsonObject[] = [{}, { selector: null }, { selector: {} }];
    for (const selector of specs) {
      const read = readSubscription({ spec: { ...PODS, ...selector } }, targetResources);
      expect(read.selector.matches({ any: 'thing' })).toBe(true);
    }
  });
});

describe('the user-owned queue of a Subscription', () => {
  const read = (queue: JsonObject) => readSubscription({ spec: { ...PODS, queue } }, targetResources);

  it('a user-owned queue is FIFO if its name ends with .fifo', () => {
    expect(read({ arn: `${OWN}.fifo` })).toMatchObject({
      fifo: true,
      queueArn: `${OWN}.fifo`,
      queueToken: '',
    });
    expect(read({ arn: OWN, token: 't' })).toMatchObject({ fifo: false, queueArn: OWN, queueToken: 't' });
    expect(read({ type: 'Standard' })).toMatchObject({ fifo: false, queueArn: '', queueToken: '' });
  });

  it('a user-owned queue keeps its ARN, and its token may be added later', () => {
    const old = { ...PODS, queue: { arn: OWN } };
    expect(errorsOf({ ...PODS, queue: { arn: OWN, token: 't' } }, old)).toEqual([]);
    expect(errorsOf({ ...PODS, queue: { arn: `${OWN}2` } }, old)).toEqual(['Invalid spec.queue']);
    expect(errorsOf({ ...PODS, queue: {} }, old)).toEqual(['Invalid spec.queue']);
  });
});

describe('the ordering of a Subscription', () => {
  it('the ordering cannot change, and its default is Total', () => {
    const total = { ...PODS, ordering: 'Total' };
    const byObject = { ...PODS, ordering: 'Object' };
    expect(errorsOf(total, PODS)).toEqual([]);
    expect(errorsOf(PODS, total)).toEqual([]);
    expect(errorsOf(byObject, PODS)).toEqual(['Invalid spec.ordering']);
    expect(errorsOf(PODS, byObject)).toEqual(['Invalid spec.ordering']);
  });
});
