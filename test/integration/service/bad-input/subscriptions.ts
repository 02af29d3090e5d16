import type { JsonObject } from '../../../../lib/json/index.ts';
import { type BadRequest, invalid, MERGE, STANDING, SUBSCRIPTIONS } from './bad-request.ts';

type Case = readonly [title: string, spec: JsonObject, causes: readonly string[], ...says: string[]];

const pods = { resource: { group: '', resource: 'pods' } };

const SPECS: readonly Case[] = [
  ['nothing said', {}, ['FieldValueRequired spec.resource.resource'], 'the plural name, e.g. pods'],
  [
    'no resource',
    { resource: { group: 'apps' } },
    ['FieldValueRequired spec.resource.resource'],
    'spec.resource',
  ],
  [
    'a resource that is text',
    { resource: 'pods' },
    ['FieldValueRequired spec.resource.resource'],
    'spec.resource',
  ],
  ['an unknown resource', { resource: { resource: 'podz' } }, ['FieldValueInvalid spec.resource'], '"/podz"'],
  [
    'an unknown group',
    { resource: { group: 'app', resource: 'deployments' } },
    ['FieldValueInvalid spec.resource'],
    '"app/deployments"',
  ],
  [
    'an unknown field',
    { ...pods, lableSelector: 'a=b' },
    ['FieldValueInvalid spec.lableSelector'],
    'unknown field',
  ],
  [
    'namespaces: Some',
    { ...pods, namespaces: 'Some' },
    ['FieldValueNotSupported spec.namespaces'],
    '"Some"',
    '"Own", "All"',
  ],
  [
    'nodes in one namespace',
    { resource: { resource: 'nodes' } },
    ['FieldValueInvalid spec.namespaces'],
    'use All',
  ],
  [
    'a malformed labelSelector',
    { ...pods, labelSelector: 'a in b' },
    ['FieldValueInvalid spec.labelSelector'],
    "found 'b' expected: '('",
    '"a in b"',
  ],
  [
    'a labelSelector that is an object',
    { ...pods, labelSelector: {} },
    ['FieldValueTypeInvalid spec.labelSelector'],
    'must be a string',
  ],
  [
    'a selector with a bad value',
    { ...pods, selector: { matchLabels: { app: 'a b' } } },
    ['FieldValueInvalid spec.selector.matchLabels'],
    '"a b"',
  ],
  [
    'a selector with a bad operator',
    { ...pods, selector: { matchExpressions: [{ key: 'app', operator: 'in' }] } },
    ['FieldValueInvalid spec.selector.matchExpressions[0].operator'],
    '"in"',
  ],
  [
    'a selector with In and no values',
    { ...pods, selector: { matchExpressions: [{ key: 'app', operator: 'In', values: [] }] } },
    ['FieldValueRequired spec.selector.matchExpressions[0].values'],
    'must be specified',
  ],
  [
    'a selector with Exists and values',
    { ...pods, selector: { matchExpressions: [{ key: 'app', operator: 'Exists', values: ['a'] }] } },
    ['FieldValueForbidden spec.selector.matchExpressions[0].values'],
    'may not be specified',
  ],
  [
    'a selector that is text',
    { ...pods, selector: 'app=web' },
    ['FieldValueTypeInvalid spec.selector'],
    'spec.selector',
  ],
  [
    'selector and labelSelector',
    { ...pods, selector: {}, labelSelector: 'a' },
    ['FieldValueForbidden spec.labelSelector'],
    'together',
  ],
  [
    'a malformed fieldSelector',
    { ...pods, fieldSelector: 'metadata.name' },
    ['FieldValueInvalid spec.fieldSelector'],
    "can't understand",
  ],
  [
    'a field that cannot be selected by',
    { ...pods, fieldSelector: 'spec.color=red' },
    ['FieldValueInvalid spec.fieldSelector'],
    'field label not supported: spec.color',
  ],
  [
    'a fieldSelector that is a number',
    { ...pods, fieldSelector: 5 },
    ['FieldValueTypeInvalid spec.fieldSelector'],
    'must be a string',
  ],
  [
    'queue.type: Fast',
    { ...pods, queue: { type: 'Fast' } },
    ['FieldValueNotSupported spec.queue.type'],
    '"Fast"',
    '"FIFO", "Standard"',
  ],
  [
    "a queue of one's own that is none",
    { ...pods, queue: { arn: 'arn:aws:sqs:us-east-1:1:q' } },
    ['FieldValueInvalid spec.queue.arn'],
    'must be the ARN of an SQS queue',
  ],
  ['a queue that is text', { ...pods, queue: 'FIFO' }, ['FieldValueTypeInvalid spec.queue'], '"FIFO"'],
  [
    'start: yesterday',
    { ...pods, start: 'yesterday' },
    ['FieldValueNotSupported spec.start'],
    '"yesterday"',
    '"now", "snapshot"',
  ],
  [
    'start at what is no resourceVersion',
    { ...pods, start: '-7' },
    ['FieldValueNotSupported spec.start'],
    '"-7"',
    '"now", "snapshot"',
  ],
  [
    'payload: Half',
    { ...pods, payload: 'Half' },
    ['FieldValueNotSupported spec.payload'],
    '"Half"',
    '"Object", "Metadata"',
  ],
  [
    'consumers',
    { ...pods, consumers: ['arn:aws:iam::1:role/r'] },
    ['FieldValueInvalid spec.consumers[0]'],
    'must be the ARN of an IAM user',
  ],
  [
    'two things wrong, both of which are told',
    { ...pods, start: 'never', payload: 'Half' },
    ['FieldValueNotSupported spec.payload', 'FieldValueNotSupported spec.start'],
    '"never"',
    '"Half"',
  ],
];

/** Refused changes of a Subscription. */
const CHANGES: readonly Case[] = [
  [
    'another resource',
    { resource: { resource: 'services' } },
    ['FieldValueInvalid spec.resource'],
    'field is immutable',
  ],
  ['another queue', { queue: { type: 'Standard' } }, ['FieldValueInvalid spec.queue'], 'field is immutable'],
  ['another start', { start: 'snapshot' }, ['FieldValueInvalid spec.start'], 'field is immutable'],
  [
    'a malformed labelSelector',
    { labelSelector: 'a in b' },
    ['FieldValueInvalid spec.labelSelector'],
    "found 'b'",
  ],
];

export const subscriptions: readonly BadRequest[] = [
  ...SPECS.map(([title, spec, causes, ...says]) => ({
    title: `a Subscription: ${title}`,
    method: 'POST',
    path: SUBSCRIPTIONS,
    body: { apiVersion: 'winnow.dev/v1', kind: 'Subscription', metadata: { name: 'new' }, spec },
    ...invalid,
    says: ['Subscription.winnow.dev "new" is invalid', ...says],
    causes,
  })),
  ...CHANGES.map(([title, spec, causes, ...says]) => ({
    title: `a Subscription becomes: ${title}`,
    method: 'PATCH',
    path: STANDING.subscription,
    type: MERGE,
    body: { spec },
    ...invalid,
    says: ['Subscription.winnow.dev "standing" is invalid', ...says],
    causes,
  })),
];
