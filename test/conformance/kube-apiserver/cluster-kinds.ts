import type { JsonObject } from '../../../lib/json/index.ts';

/** The objects of a kind that are created at a path, each with its own name. */
interface Made {
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** The objects without type and metadata. Some are valid, and answered with their defaults. */
  readonly contents: readonly JsonObject[];
}

const ADMISSION = 'admissionregistration.k8s.io/v1';
const RULE = { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] };
const VALIDATIONS = [{ expression: 'object.spec.replicas <= 5' }];

function policy(spec: JsonObject): JsonObject {
  const own = { matchConstraints: { resourceRules: [RULE] }, validations: VALIDATIONS };
  return { spec: { ...own, ...spec } };
}

function rules(...resourceRules: JsonObject[]): JsonObject {
  return policy({ matchConstraints: { resourceRules } });
}

function binding(spec: JsonObject): JsonObject {
  return { spec: { policyName: 'p', validationActions: ['Deny'], ...spec } };
}

const HOOK = {
  name: 'a.b.example',
  clientConfig: { service: { namespace: 'n', name: 's' } },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  rules: [RULE],
};

/** A request with an unknown key. The server does not read the signed content before its type. */
const REQUEST = Buffer.from('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n').toString(
  'base64',
);

function certificate(spec: JsonObject): JsonObject {
  return { spec: { request: REQUEST, usages: ['client auth'], signerName: 'example.com/s', ...spec } };
}

/** Objects of kinds whose content matters, and of which the recordings have few. */
export const clusterKinds: readonly Made[] = [
  {
    path: `/apis/${ADMISSION}/validatingadmissionpolicies`,
    apiVersion: ADMISSION,
    kind: 'ValidatingAdmissionPolicy',
    contents: [
      policy({}),
      policy({ failurePolicy: 'Never', validations: [] }),
      policy({ matchConstraints: {} }),
      policy({
        matchConstraints: { resourceRules: [RULE], matchPolicy: 'Some', namespaceSelector: { a: 1 } },
      }),
      policy({ matchConstraints: { resourceRules: [RULE], excludeResourceRules: [{}] } }),
      rules({ ...RULE, operations: ['*', 'CREATE', 'LOOK'] }),
      rules({ ...RULE, apiGroups: ['*', 'a'], apiVersions: ['', '*'], scope: 'Some' }),
      rules({ ...RULE, resources: ['', 'pods/*', 'pods/log', '*/log', 'a/log'] }),
      rules({ ...RULE, resources: ['*', '*/*'] }),
      rules({ ...RULE, resources: ['*', 'pods'] }),
      rules({ ...RULE, resourceNames: ['a', 'a', 'b/c'] }),
      policy({ paramKind: {} }),
      policy({ paramKind: { apiVersion: 'a/b/c', kind: 'X_y' } }),
      policy({ paramKind: { apiVersion: 'A.b/V1', kind: 'Ok' } }),
      policy({ validations: [{ expression: ' ', message: ' ', messageExpression: ' ', reason: 'No' }] }),
      policy({ validations: [{ expression: 'true', message: 'a\nb' }] }),
      policy({ auditAnnotations: [{ key: 'a b', valueExpression: '' }] }),
      policy({
        auditAnnotations: [
          { key: 'a', valueExpression: '"x"' },
          { key: 'a', valueExpression: '"y"' },
        ],
      }),
      policy({ matchConditions: [{ name: 'a b', expression: '' }, { expression: 'true' }] }),
      policy({
        matchConditions: [
          { name: 'a', expression: 'true' },
          { name: 'a', expression: 'true' },
        ],
      }),
      policy({ variables: [{ name: 'a', expression: '1' }] }),
      policy({ variables: [{ name: '', expression: '' }] }),
      policy({ variables: [{ name: 'in', expression: 'object.a' }] }),
      policy({ validations: [{ expression: 'object.a' }, { expression: 'params == 1' }] }),
      policy({ validations: [{ expression: 'true', messageExpression: 'authorizer' }] }),
      policy({ validations: [{ expression: "isSemver('1.2.3') || object.a.matches('a(')" }] }),
      policy({ matchConditions: [{ name: 'a', expression: 'variables.a' }] }),
      policy({ auditAnnotations: [{ key: 'a', valueExpression: '1' }] }),
    ],
  },
  {
    path: `/apis/${ADMISSION}/validatingadmissionpolicybindings`,
    apiVersion: ADMISSION,
    kind: 'ValidatingAdmissionPolicyBinding',
    contents: [
      binding({}),
      binding({ policyName: 'A_b', validationActions: ['Deny', 'Warn', 'Warn', 'Say'] }),
      binding({ paramRef: {} }),
      binding({
        paramRef: { name: 'a/b', selector: { matchLabels: { 'a b': '' } }, parameterNotFoundAction: 'X' },
      }),
      binding({ paramRef: { name: 'a', parameterNotFoundAction: 'Allow' } }),
      binding({ matchResources: { resourceRules: [{}] } }),
    ],
  },
  {
    path: `/apis/${ADMISSION}/validatingwebhookconfigurations`,
    apiVersion: ADMISSION,
    kind: 'ValidatingWebhookConfiguration',
    contents: [
      { webhooks: [HOOK] },
      { webhooks: [{ ...HOOK, clientConfig: { url: 'https://a.example' } }] },
      { webhooks: [{ ...HOOK, clientConfig: { url: 'http://u@?a=b#c' } }] },
      {
        webhooks: [
          { ...HOOK, clientConfig: { service: { namespace: 'n', name: 's', path: 'a//B', port: 0 } } },
        ],
      },
      { webhooks: [{ ...HOOK, rules: [{ ...RULE, resources: ['pods/*', 'pods/log'], scope: 'Some' }] }] },
      {
        webhooks: [
          { ...HOOK, sideEffects: 'Some', timeoutSeconds: 31, admissionReviewVersions: ['v2', 'v2'] },
        ],
      },
      { webhooks: [{ ...HOOK, matchConditions: [{ name: 'a', expression: 'params == 1' }] }] },
    ],
  },
  {
    path: `/apis/${ADMISSION}/mutatingwebhookconfigurations`,
    apiVersion: ADMISSION,
    kind: 'MutatingWebhookConfiguration',
    contents: [{ webhooks: [HOOK] }, { webhooks: [{ ...HOOK, reinvocationPolicy: 'Always' }, HOOK] }],
  },
  {
    path: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    contents: [
      certificate({}),
      certificate({ request: 'AEE=', usages: ['talk', 'any', 'any'], expirationSeconds: 5 }),
      certificate({ signerName: 'kubernetes.io/legacy-unknown' }),
      certificate({ signerName: 'none' }),
      certificate({ signerName: 'none/a' }),
      certificate({ signerName: 'a_b.c/D' }),
    ],
  },
  {
    path: '/apis/storage.k8s.io/v1/namespaces/swept/csistoragecapacities',
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIStorageCapacity',
    contents: [
      { storageClassName: 'fast', capacity: '1Gi' },
      { storageClassName: 'A_b', capacity: '-1', nodeTopology: { matchLabels: { 'a b': '' } } },
    ],
  },
  {
    path: '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    contents: [{ spec: { priorityLevelConfiguration: { name: 'x' } } }],
  },
  {
    path: '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations',
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'PriorityLevelConfiguration',
    contents: [
      { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
      { spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: {} } } } },
    ],
  },
  {
    path: '/api/v1/namespaces/swept/events',
    apiVersion: 'v1',
    kind: 'Event',
    contents: [{ involvedObject: { namespace: 'swept' } }],
  },
];
