import { podSpec } from '../../../support/pod-spec.ts';
import {
  type BadRequest,
  badRequest,
  invalid,
  MERGE,
  NAMESPACES,
  notAllowed,
  notFound,
  PODS,
  STANDING,
} from './bad-request.ts';

const token = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const pod = { metadata: { name: 'new' }, spec: podSpec() };

const PAGE_TOKENS = [
  'garbage!',
  'bm90IGpzb24',
  token({ v: 'meta.k8s.io/v1', rv: 5 }),
  token({ v: 'meta.k8s.io/v1', rv: 0, start: 'a' }),
  token({ v: 'meta.k8s.io/v1', rv: 5, start: 'a%b' }),
  token({ v: 'meta.k8s.io/v2', rv: 5, start: 'a' }),
];

const COUNTS = ['many', '', '1.5', '1e3', '0x10', '9999999999999999999'];

const numbers = (parameter: string, rest = ''): BadRequest[] =>
  COUNTS.map((text) => ({
    title: `${parameter}=${text}`,
    path: `${PODS}?${parameter}=${text}${rest}`,
    ...badRequest,
    says: ['strconv.ParseInt: parsing', JSON.stringify(text)],
  }));

const VERSIONS = ['newest', '-1', '1.5', '0x10', '99999999999999999999'];

/** Contradictory `ListOptions`, with the errors of Kubernetes' ValidateListOptions. */
const LIST_OPTIONS: readonly (readonly [query: string, cause: string, ...says: string[]])[] = [
  [
    'resourceVersion=1&resourceVersionMatch=Sometimes',
    'FieldValueNotSupported resourceVersionMatch',
    '"Sometimes"',
  ],
  [
    'resourceVersionMatch=Exact',
    'FieldValueForbidden resourceVersionMatch',
    'unless resourceVersion is provided',
  ],
  ['resourceVersion=0&resourceVersionMatch=Exact', 'FieldValueForbidden resourceVersionMatch', '"0"'],
  [
    'watch=1&resourceVersion=1&resourceVersionMatch=NotOlderThan',
    'FieldValueForbidden resourceVersionMatch',
    'forbidden for watch',
  ],
  ['sendInitialEvents=true', 'FieldValueForbidden sendInitialEvents', 'forbidden for list'],
  [
    'watch=1&sendInitialEvents=true',
    'FieldValueForbidden resourceVersionMatch',
    'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
  ],
];

const DRY_RUNS = [
  { method: 'POST', path: `${PODS}?dryRun=Yes`, body: pod },
  { method: 'PUT', path: `${STANDING.pod}?dryRun=Yes`, body: { metadata: { name: 'standing' } } },
  {
    method: 'PATCH',
    path: `${STANDING.pod}?dryRun=Yes`,
    body: { metadata: { labels: { a: 'b' } } },
    type: MERGE,
  },
  { method: 'DELETE', path: `${STANDING.pod}?dryRun=Yes` },
  { method: 'DELETE', path: STANDING.pod, body: { kind: 'DeleteOptions', dryRun: ['Yes'] } },
  { method: 'DELETE', path: `${PODS}?dryRun=Yes` },
];

const NO_SUCH = [
  `${NAMESPACES}/default/podz`,
  '/api/v2/pods',
  '/apis/apps/v1beta1/deployments',
  '/api/v1/namespaces/default/nodes',
  `${STANDING.pod}/portions`,
  `${STANDING.pod}/status/more`,
  '/api/v1/namespaces/default/configmaps/any/status',
];

const NOT_ALLOWED: readonly (readonly [method: string, path: string])[] = [
  ['POST', STANDING.pod],
  ['PUT', PODS],
  ['PATCH', PODS],
  ['POST', '/api/v1/pods'],
  ['DELETE', '/api/v1/pods'],
  ['DELETE', NAMESPACES],
  ['DELETE', `${STANDING.pod}/status`],
  ['POST', '/version'],
  ['DELETE', '/apis'],
];

export const queries: readonly BadRequest[] = [
  ...PAGE_TOKENS.map((text) => ({
    title: `continue=${text}`,
    path: `${PODS}?limit=1&continue=${encodeURIComponent(text)}`,
    ...badRequest,
    says: ['continue key is not valid'],
  })),
  {
    title: 'continue with a resourceVersion',
    path: `${PODS}?limit=1&resourceVersion=1&continue=${token({ v: 'meta.k8s.io/v1', rv: 2, start: 'a' })}`,
    ...badRequest,
    says: ['specifying resource version is not allowed when using continue'],
  },
  ...numbers('limit'),
  ...numbers('timeoutSeconds', '&watch=true'),
  ...VERSIONS.map((text) => ({
    title: `resourceVersion=${text}`,
    path: `${PODS}?resourceVersion=${text}`,
    ...badRequest,
    says: ['resource version', JSON.stringify(text)],
  })),
  ...VERSIONS.map((text) => ({
    title: `resourceVersion=${text} of a watch`,
    path: `${PODS}?watch=1&resourceVersion=${text}`,
    ...badRequest,
    says: ['resource version', JSON.stringify(text)],
  })),
  ...['', '&resourceVersionMatch=Exact', '&resourceVersionMatch=NotOlderThan'].map((match) => ({
    title: `a resourceVersion of the future${match}`,
    path: `${PODS}?resourceVersion=4000000${match}`,
    code: 504,
    reason: 'Timeout',
    says: ['Too large resource version: 4000000'],
    causes: ['ResourceVersionTooLarge '],
  })),
  ...LIST_OPTIONS.map(([query, cause, ...says]) => ({
    title: query,
    path: `${PODS}?${query}`,
    ...invalid,
    says,
    causes: [cause],
  })),
  ...DRY_RUNS.map((request) => ({
    title: `dryRun=Yes in ${request.method} ${request.body ? 'with a body' : ''} ${request.path}`,
    ...request,
    ...invalid,
    says: ['"Yes"', 'supported values: "All"'],
    causes: ['FieldValueNotSupported dryRun'],
  })),
  {
    title: 'propagationPolicy=Sideways',
    method: 'DELETE',
    path: `${STANDING.pod}?propagationPolicy=Sideways`,
    ...invalid,
    says: ['"Sideways"'],
    causes: ['FieldValueNotSupported propagationPolicy'],
  },
  ...NO_SUCH.map((path) => ({
    title: `GET ${path}`,
    path,
    ...notFound,
    says: ['the server could not find the requested resource'],
  })),
  ...NOT_ALLOWED.map(([method, path]) => ({
    title: `${method} ${path}`,
    method,
    path,
    ...(method === 'DELETE' ? {} : { body: pod }),
    ...notAllowed,
    says: ['the server does not allow this method on the requested resource'],
  })),
  {
    title: 'a pod that is not there',
    path: `${PODS}/absent`,
    ...notFound,
    says: ['pods "absent" not found'],
  },
  {
    title: 'a name that no object can have',
    path: `${PODS}/${'x'.repeat(300)}`,
    ...notFound,
    says: ['x'.repeat(300)],
  },
  {
    title: 'a malformed percent escape in the path',
    path: `${PODS}/%zz`,
    ...badRequest,
    says: ['%zz', 'percent escape'],
  },
  {
    title: 'an Accept that is not JSON',
    path: PODS,
    headers: { accept: 'application/xml' },
    code: 406,
    reason: 'NotAcceptable',
    says: ['application/json'],
  },
  {
    title: 'includeObject=Everything of a Table',
    path: `${PODS}?includeObject=Everything`,
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    ...badRequest,
    says: ['"Everything"'],
  },
];
