import { podSpec } from '../../../support/pod-spec.ts';
import {
  type BadRequest,
  badRequest,
  CONFIG_MAPS,
  invalid,
  MERGE,
  PODS,
  STANDING,
  SUBSCRIPTIONS,
  tooLarge,
  unsupported,
} from './bad-request.ts';

const YAML = 'metadata:\n  name: new\n';
const POD = '{"metadata":{"name":"new"}}';

/** Bodies that are not JSON objects, and parts of the parser's message that the refusal contains. */
const BODIES: readonly (readonly [title: string, body: string | Uint8Array, ...says: string[]])[] = [
  ['a body that is cut', POD.slice(0, -2), 'json parse error: unexpected end of JSON input'],
  ['a body that is YAML', YAML, "json parse error: invalid character 'm'"],
  ['an empty body', '', 'json parse error'],
  ['a body that is a list', '[]', 'array'],
  ['a body that is a string', '"pod"', 'string'],
  [
    'a body nested 1,000 deep',
    `{"metadata":{"name":"new"},"spec":{"a":${'['.repeat(1000)}${']'.repeat(1000)}}}`,
    '500',
  ],
];

const PATCHES: readonly (readonly [title: string, type: string, body: string, ...says: string[]])[] = [
  ['a merge patch that is cut', MERGE, '{"metadata":', 'error decoding patch'],
  ['a merge patch that is a list', MERGE, '[]', 'cannot unmarshal array'],
  [
    'a strategic merge patch that is a list',
    'application/strategic-merge-patch+json',
    '[]',
    'cannot unmarshal array',
  ],
  ['a JSON patch that is an object', 'application/json-patch+json', '{}', 'patch'],
];

const lots = (count: number, value = 'x') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`label-${index}`, value]));

const configMap = (data: string) => ({
  method: 'POST',
  path: CONFIG_MAPS,
  body: { metadata: { name: 'new' }, data: { data } },
});

export const bodies: readonly BadRequest[] = [
  ...BODIES.map(([title, body, ...says]) => ({
    title,
    method: 'POST',
    path: PODS,
    body,
    ...badRequest,
    says,
  })),
  {
    title: 'a body that is null, which is an object without a field',
    method: 'POST',
    path: PODS,
    body: 'null',
    ...invalid,
    says: ['name or generateName is required'],
    causes: ['FieldValueRequired metadata.name', 'FieldValueRequired spec.containers'],
  },
  ...PATCHES.map(([title, type, body, ...says]) => ({
    title,
    method: 'PATCH',
    path: STANDING.pod,
    type,
    body,
    ...badRequest,
    says,
  })),
  {
    title: 'a JSON patch whose test does not hold',
    method: 'PATCH',
    path: STANDING.pod,
    type: 'application/json-patch+json',
    body: [{ op: 'test', path: '/metadata/name', value: 'other' }],
    ...invalid,
    says: ['the server rejected our request due to an error in our request'],
  },
  {
    title: 'a JSON patch with an unknown op',
    method: 'PATCH',
    path: STANDING.pod,
    type: 'application/json-patch+json',
    body: [{ op: 'swap', path: '/a' }],
    ...invalid,
    says: ['the server rejected our request due to an error in our request'],
  },
  {
    title: 'a protobuf body that is cut',
    method: 'POST',
    path: PODS,
    body: Buffer.from('k8s\0\x0a\xff'),
    type: 'application/vnd.kubernetes.protobuf',
    ...badRequest,
    says: ['must be of type Pod', 'unexpected EOF', '6b3873000a'],
  },
  {
    title: 'a protobuf body that is JSON, of a PUT',
    method: 'PUT',
    path: STANDING.pod,
    body: POD,
    type: 'application/vnd.kubernetes.protobuf',
    ...badRequest,
    says: ['does not appear to be a protobuf message', POD],
  },
  {
    title: 'a YAML body that is cut',
    method: 'POST',
    path: PODS,
    body: `${YAML}  labels: {a`,
    type: 'application/yaml',
    ...badRequest,
    says: ['must be of type Pod', 'yaml: line'],
  },
  {
    title: 'a form',
    method: 'POST',
    path: PODS,
    body: 'name=new',
    type: 'application/x-www-form-urlencoded',
    ...unsupported,
    says: ['unknown format', 'application/json'],
  },
  {
    title: 'server-side apply of a kind that the body does not say',
    method: 'PATCH',
    path: `${PODS}/new?fieldManager=me`,
    body: 'metadata: {name: new}',
    type: 'application/apply-patch+yaml',
    ...badRequest,
    says: ['invalid object type: /, Kind='],
  },
  {
    title: 'server-side apply of no YAML',
    method: 'PATCH',
    path: `${PODS}/new?fieldManager=me`,
    body: 'a: [b',
    type: 'application/apply-patch+yaml',
    ...badRequest,
    says: ['error decoding YAML: error converting YAML to JSON: yaml: line'],
  },
  {
    title: 'a patch that says it is plain JSON',
    method: 'PATCH',
    path: STANDING.pod,
    body: {},
    type: 'application/json',
    ...unsupported,
    says: ['415: Unsupported Media Type'],
  },
  {
    title: 'a strategic merge patch of a type that has no merge keys',
    method: 'PATCH',
    path: STANDING.subscription,
    body: {},
    type: 'application/strategic-merge-patch+json',
    ...unsupported,
    says: ['the body of the request was in an unknown format', MERGE],
  },
  {
    title: 'an object of more than 1,536 KiB',
    method: 'POST',
    path: '/apis/apps/v1/namespaces/default/controllerrevisions',
    body: { metadata: { name: 'long' }, revision: 1, data: { text: 'x'.repeat(1_536 * 1024) } },
    ...tooLarge,
    says: ['the limit is 1572864'],
  },
  {
    title: 'an object of 2 MB',
    ...configMap('x'.repeat(2_000_000)),
    ...invalid,
    says: ['Too long', '1048576'],
    causes: ['FieldValueTooLong []'],
  },
  {
    title: 'a body of 4 MB',
    ...configMap('x'.repeat(4_000_000)),
    ...tooLarge,
    says: ['the limit is 3145728'],
  },
  {
    title: 'more labels than a transaction can index',
    method: 'POST',
    path: PODS,
    body: { metadata: { name: 'new', labels: lots(97) }, spec: podSpec() },
    ...invalid,
    says: ['can index 96 labels', '97'],
    causes: ['FieldValueTooMany metadata.labels'],
  },
  {
    title: 'more labels than a transaction can index, under a generated name',
    method: 'POST',
    path: PODS,
    body: { metadata: { generateName: 'new-', labels: lots(97) }, spec: podSpec() },
    ...invalid,
    says: ['can index 96 labels', '97'],
    causes: ['FieldValueTooMany metadata.labels'],
  },
  {
    title: 'more labels than a transaction can index, old and new together',
    method: 'PATCH',
    path: STANDING.pod,
    body: { metadata: { labels: lots(96) } },
    type: MERGE,
    ...invalid,
    says: ['can index 96 labels', '97'],
    causes: ['FieldValueTooMany metadata.labels'],
  },
  {
    title: 'labels longer than a transaction can carry',
    method: 'POST',
    path: PODS,
    body: {
      metadata: {
        name: 'new',
        labels: Object.fromEntries(
          Array.from({ length: 90 }, (_, index) => [`${'p'.repeat(200)}.example/${index}`, 'v'.repeat(63)]),
        ),
      },
      spec: podSpec(),
    },
    ...invalid,
    says: ['2000000'],
    causes: ['FieldValueTooMany metadata.labels'],
  },
  {
    title: 'a spec of a Subscription that is a string',
    method: 'POST',
    path: SUBSCRIPTIONS,
    body: { metadata: { name: 'new' }, spec: 'pods' },
    ...badRequest,
    says: ['Subscription.spec'],
  },
];
