import type { JsonObject } from '../../../../lib/json/index.ts';
import { podSpec } from '../../../support/pod-spec.ts';
import {
  type BadRequest,
  badRequest,
  CONFIG_MAPS,
  DEPLOYMENTS,
  invalid,
  MERGE,
  NAMESPACES,
  notFound,
  PODS,
  SERVICES,
  STANDING,
} from './bad-request.ts';

const create = (path: string, body: JsonObject) => ({ method: 'POST', path, body });
const pod = (metadata: JsonObject) =>
  create(PODS, { metadata: { name: 'new', ...metadata }, spec: podSpec() });
const relabel = (labels: JsonObject) => ({
  method: 'PATCH',
  path: STANDING.pod,
  body: { metadata: { labels } },
  type: MERGE,
});

/** kube-apiserver validates the labels of a changed object four times, and reports each fault four times. */
const CHANGED_LABELS = Array<string>(4).fill('FieldValueInvalid metadata.labels');

interface Metadata {
  readonly title: string;
  readonly metadata: JsonObject;
  readonly field: string;
  readonly says: readonly string[];
}

const LABELS: readonly { title: string; labels: JsonObject; says: readonly string[] }[] = [
  { title: 'a label value with a blank', labels: { app: 'a b' }, says: ['"a b"', 'a valid label'] },
  { title: 'a label value of 64 characters', labels: { app: 'v'.repeat(64) }, says: ['no more than 63'] },
  { title: 'a label value that ends in a dash', labels: { app: 'web-' }, says: ['"web-"'] },
  { title: 'a label key of three parts', labels: { 'a/b/c': 'x' }, says: ['"a/b/c"'] },
  {
    title: 'a label key with an empty prefix',
    labels: { '/b': 'x' },
    says: ['prefix part must be non-empty'],
  },
  { title: 'a label key with a blank', labels: { 'a b': 'x' }, says: ['"a b"', 'name part'] },
  {
    title: 'a label prefix in capitals',
    labels: { 'Example.com/b': 'x' },
    says: ['prefix part', 'subdomain'],
  },
  { title: 'a label prefix of 254 characters', labels: { [`${'p'.repeat(254)}/b`]: 'x' }, says: ['253'] },
  { title: 'a label name of 64 characters', labels: { ['n'.repeat(64)]: 'x' }, says: ['no more than 63'] },
];

/** Invalid metadata with one cause each. */
const METADATA: readonly Metadata[] = [
  ...LABELS.map(({ title, labels, says }) => ({
    title,
    metadata: { labels },
    field: 'metadata.labels',
    says,
  })),
  {
    title: 'an annotation key with a blank',
    metadata: { annotations: { 'not a key': 'x' } },
    field: 'metadata.annotations',
    says: ['"not a key"'],
  },
  {
    title: 'annotations of more than 256 KiB',
    metadata: { annotations: { note: 'x'.repeat(256 * 1024) } },
    field: 'metadata.annotations',
    says: ['262144 bytes'],
  },
  ...[
    ['a name in capitals', 'Web', 'a lowercase RFC 1123 subdomain'],
    ['a name with an underscore', 'web_1', 'a lowercase RFC 1123 subdomain'],
    ['a name that begins with a dot', '.web', 'a lowercase RFC 1123 subdomain'],
    ['a name of two dots', '..', 'a lowercase RFC 1123 subdomain'],
    ['a name with a slash', 'a/b', 'a lowercase RFC 1123 subdomain'],
    ['a name of 254 characters', 'x'.repeat(254), 'must be no more than 253'],
  ].map(([title = '', name = '', rule = '']) => ({
    title,
    metadata: { name },
    field: 'metadata.name',
    says: [JSON.stringify(name), rule],
  })),
  {
    title: 'no name at all',
    metadata: { name: '' },
    field: 'metadata.name',
    says: ['name or generateName is required'],
  },
  {
    title: 'a finalizer without a domain',
    metadata: { finalizers: ['mine'] },
    field: 'metadata.finalizers[0]',
    says: ['"mine"', 'fully qualified'],
  },
];

/** Bodies whose values have the wrong type, with the decoder's errors. */
const UNDECODABLE: readonly (readonly [title: string, body: JsonObject, ...says: string[]])[] = [
  ['labels that are numbers', { metadata: { name: 'new', labels: { app: 1 } } }, 'number', 'metadata.labels'],
  ['labels that are a list', { metadata: { name: 'new', labels: ['app'] } }, 'metadata.labels'],
  [
    'an annotation that is an object',
    { metadata: { name: 'new', annotations: { a: {} } } },
    'metadata.annotations',
  ],
  ['a name that is a number', { metadata: { name: 5 } }, 'number', 'metadata.name'],
  ['finalizers that are a string', { metadata: { name: 'new', finalizers: 'a/b' } }, 'metadata.finalizers'],
  ['metadata that is a string', { metadata: 'new' }, 'string', 'Pod.metadata'],
  ['a spec that is a list', { metadata: { name: 'new' }, spec: [] }, 'Pod.spec'],
  [
    'another kind',
    { kind: 'Service', metadata: { name: 'new' } },
    'Service in version "v1"',
    'handled as a Pod',
  ],
  ['another apiVersion', { apiVersion: 'v2', metadata: { name: 'new' } }, 'registered for version "v2"'],
  ['another namespace', { metadata: { name: 'new', namespace: 'other' } }, 'does not match the namespace'],
  [
    'a resourceVersion',
    { metadata: { name: 'new', resourceVersion: '7' } },
    'resourceVersion should not be set',
  ],
];

export const objects: readonly BadRequest[] = [
  ...METADATA.map(({ title, metadata, field, says }) => {
    const cause = `${metadata.name === '' ? 'FieldValueRequired' : title.includes('KiB') ? 'FieldValueTooLong' : 'FieldValueInvalid'} ${field}`;
    return { title, ...pod(metadata), ...invalid, says: [`${field}: `, ...says], causes: [cause] };
  }),
  {
    title: 'a generateName in capitals',
    ...create(PODS, { metadata: { generateName: 'Web-' }, spec: podSpec() }),
    ...invalid,
    says: ['metadata.generateName', '"Web-"'],
    causes: ['FieldValueInvalid metadata.generateName', 'FieldValueInvalid metadata.name'],
  },
  {
    title: 'an empty label key',
    ...pod({ labels: { '': 'x' } }),
    ...invalid,
    says: ['name part must be non-empty', 'name part must consist of'],
    causes: ['FieldValueInvalid metadata.labels', 'FieldValueInvalid metadata.labels'],
  },
  {
    title: 'two wrong labels, both of which are told',
    ...pod({ labels: { 'a b': 'x', c: 'd e' } }),
    ...invalid,
    says: ['"a b"', '"d e"'],
    causes: ['FieldValueInvalid metadata.labels', 'FieldValueInvalid metadata.labels'],
  },
  {
    title: 'a wrong label in a merge patch',
    ...relabel({ tier: 'not a label!' }),
    ...invalid,
    says: ['Pod "standing" is invalid', '"not a label!"'],
    causes: CHANGED_LABELS,
  },
  {
    title: 'a wrong label in a JSON patch',
    method: 'PATCH',
    path: STANDING.pod,
    type: 'application/json-patch+json',
    body: [{ op: 'add', path: '/metadata/labels/tier', value: '-' }],
    ...invalid,
    says: ['"-"'],
    causes: CHANGED_LABELS,
  },
  {
    title: 'a wrong label in a strategic merge patch',
    ...relabel({ tier: '?' }),
    type: 'application/strategic-merge-patch+json',
    ...invalid,
    says: ['"?"'],
    causes: CHANGED_LABELS,
  },
  {
    title: 'a wrong label in a PUT',
    method: 'PUT',
    path: STANDING.pod,
    body: { metadata: { name: 'standing', labels: { a: '?' } }, spec: podSpec() },
    ...invalid,
    says: ['"?"'],
    causes: CHANGED_LABELS,
  },
  {
    title: 'a PUT under another name',
    method: 'PUT',
    path: STANDING.pod,
    body: { metadata: { name: 'other' } },
    ...badRequest,
    says: ['(other)', '(standing)'],
  },
  {
    title: 'a PUT with a resourceVersion that is none',
    method: 'PUT',
    path: STANDING.pod,
    body: { metadata: { name: 'standing', resourceVersion: 'x' } },
    ...invalid,
    says: ['"x"'],
    causes: ['FieldValueInvalid metadata.resourceVersion'],
  },
  ...UNDECODABLE.map(([title, body, ...says]) => ({ title, ...create(PODS, body), ...badRequest, says })),
  {
    title: 'a Service whose name begins with a digit',
    ...create(SERVICES, { metadata: { name: '1st' }, spec: { ports: [{ port: 80 }] } }),
    ...invalid,
    says: ['"1st"', 'DNS-1035'],
    causes: ['FieldValueInvalid metadata.name'],
  },
  {
    title: 'a Service that selects a label no object can have',
    ...create(SERVICES, {
      metadata: { name: 'new' },
      spec: { selector: { app: 'a b' }, ports: [{ port: 80 }] },
    }),
    ...invalid,
    says: ['"a b"', 'spec.selector'],
    causes: ['FieldValueInvalid spec.selector'],
  },
  {
    title: 'a Deployment whose selector has an operator that does not exist',
    ...create(DEPLOYMENTS, {
      metadata: { name: 'new' },
      spec: { selector: { matchExpressions: [{ key: 'app', operator: 'Near', values: ['web'] }] } },
    }),
    ...invalid,
    says: ['"Near"'],
    causes: [
      'FieldValueInvalid spec.selector.matchExpressions[0].operator',
      'FieldValueInvalid spec.selector',
    ],
  },
  {
    title: 'a Deployment whose selector says In without values',
    ...create(DEPLOYMENTS, {
      metadata: { name: 'new' },
      spec: { selector: { matchExpressions: [{ key: 'app', operator: 'In' }] } },
    }),
    ...invalid,
    says: ['must be specified when `operator` is'],
    causes: [
      'FieldValueRequired spec.selector.matchExpressions[0].values',
      'FieldValueInvalid spec.selector',
    ],
  },
  {
    title: 'a ConfigMap with a key that is no file name',
    ...create(CONFIG_MAPS, { metadata: { name: 'new' }, data: { 'a/b': 'x' } }),
    ...invalid,
    says: ['"a/b"'],
    causes: ['FieldValueInvalid data[a/b]'],
  },
  {
    title: 'a ConfigMap whose data is a number',
    ...create(CONFIG_MAPS, { metadata: { name: 'new' }, data: { key: 5 } }),
    ...badRequest,
    says: ['number', 'ConfigMap.data'],
  },
  {
    title: 'a Namespace with a dot in its name',
    ...create(NAMESPACES, { metadata: { name: 'a.b' } }),
    ...invalid,
    says: ['"a.b"', 'must not contain dots'],
    causes: ['FieldValueInvalid metadata.name'],
  },
  {
    title: 'an object in a namespace that is not there',
    ...create(`${NAMESPACES}/nowhere/pods`, { metadata: { name: 'new' } }),
    ...notFound,
    says: ['namespaces "nowhere" not found'],
  },
  {
    title: 'a generated name in a namespace that is not there',
    ...create(`${NAMESPACES}/nowhere/pods`, { metadata: { generateName: 'new-' } }),
    ...notFound,
    says: ['namespaces "nowhere" not found'],
  },
  {
    title: 'an object in a Terminating namespace',
    ...create(`${NAMESPACES}/leaving/pods`, { metadata: { name: 'new' } }),
    code: 403,
    reason: 'Forbidden',
    says: ['pods "new" is forbidden', 'namespace leaving because it is being terminated'],
    causes: ['NamespaceTerminating metadata.namespace'],
  },
  {
    title: 'an object that is there already',
    ...pod({ name: 'standing' }),
    code: 409,
    reason: 'AlreadyExists',
    says: ['pods "standing" already exists'],
  },
];
