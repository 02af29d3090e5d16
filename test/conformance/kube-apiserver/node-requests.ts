import type { JsonObject, JsonValue } from '../../../lib/json/index.ts';
import type { Recorded } from '../../golden/recording.ts';

const NODES = '/api/v1/nodes';
const IN = '/api/v1/namespaces/n';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const MIRROR = { 'kubernetes.io/config.mirror': 'x' };
const AS_A = { 'Impersonate-User': 'system:node:a', 'Impersonate-Group': 'system:nodes' };
const NO_NODE = { 'Impersonate-User': 'system:node:', 'Impersonate-Group': 'system:nodes' };
const NO_GROUP = { 'Impersonate-User': 'system:node:a', 'Impersonate-Group': 'other' };
/** How long the caches of kube-apiserver may take to see what was written, in seconds. */
const PAUSE = 2;

type Request = Omit<Recorded, 'n' | 'status'>;

/** Requests of nodes about their own objects, about objects of other nodes, and about what their pods use. */
export function nodeRequests(): Recorded[] {
  const all = [...world(), { ...read('/readyz', {}), pause: PAUSE }, ...reads(), ...writes(), ...reviews()];
  return all.map((request, index) => ({ n: index + 1, status: 0, ...request }));
}

function world(): Request[] {
  const pv = (name: string, source: JsonObject, claim: JsonObject | undefined) =>
    made('/api/v1/persistentvolumes', {
      metadata: { name },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        ...source,
        ...(claim !== undefined && {
          claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', ...claim },
        }),
      },
    });
  const csi = (secret: string) => ({
    csi: {
      driver: 'd.example',
      volumeHandle: 'h',
      nodePublishSecretRef: { namespace: 'n', name: secret },
      controllerPublishSecretRef: { namespace: 'n', name: 'of-controller' },
    },
  });
  return [
    made('/api/v1/namespaces', { metadata: { name: 'n' } }),
    made('/api/v1/namespaces', { metadata: { name: 'kube-node-lease' } }),
    made(NODES, { metadata: { name: 'a' } }),
    made(NODES, { metadata: { name: 'b' } }),
    made(`${IN}/serviceaccounts`, { metadata: { name: 'robot' } }),
    made(`${IN}/serviceaccounts`, { metadata: { name: 'other' } }),
    ...['env', 'from', 'volume', 'projected', 'pull', 'of-pv', 'of-controller', 'other', 'of-mirror'].map(
      (name) => made(`${IN}/secrets`, { metadata: { name } }),
    ),
    ...['env', 'from', 'volume', 'projected', 'other'].map((name) =>
      made(`${IN}/configmaps`, { metadata: { name } }),
    ),
    ...['used', 'pod-a-scratch', 'other'].map((name) =>
      made(`${IN}/persistentvolumeclaims`, {
        metadata: { name },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      }),
    ),
    pv('used', csi('of-pv'), { namespace: 'n', name: 'used' }),
    pv('unused', csi('other'), { namespace: 'n', name: 'other' }),
    pv('free', csi('other'), undefined),
    ...['a', 'b'].map((name) =>
      made('/apis/storage.k8s.io/v1/volumeattachments', {
        metadata: { name },
        spec: { attacher: 'd.example', nodeName: name, source: { persistentVolumeName: 'used' } },
      }),
    ),
    made(`${IN}/pods`, podA()),
    made(`${IN}/pods`, { metadata: { name: 'pod-b' }, spec: { nodeName: 'b', containers: [CONTAINER] } }),
    made(`${IN}/pods`, { metadata: { name: 'pod-free' }, spec: { containers: [CONTAINER] } }),
    made(`${IN}/pods`, {
      metadata: { name: 'mirror-a', annotations: MIRROR },
      spec: {
        nodeName: 'a',
        containers: [CONTAINER],
        volumes: [{ name: 'v', secret: { secretName: 'of-mirror' } }],
      },
    }),
    made(LEASES, { metadata: { name: 'b' } }),
    made('/apis/storage.k8s.io/v1/csinodes', { metadata: { name: 'b' }, spec: { drivers: [] } }),
  ];
}

/** The uid of node a, in the answer to the third request. */
const OWN_UID = ['$', '{3.metadata.uid}'].join('');

const CONTAINER = { name: 'c', image: 'i' };

function podA(): JsonObject {
  return {
    metadata: { name: 'pod-a', labels: { app: 'x' } },
    spec: {
      nodeName: 'a',
      serviceAccountName: 'robot',
      imagePullSecrets: [{ name: 'pull' }],
      containers: [
        {
          ...CONTAINER,
          env: [
            { name: 'A', valueFrom: { secretKeyRef: { name: 'env', key: 'k' } } },
            { name: 'B', valueFrom: { configMapKeyRef: { name: 'env', key: 'k' } } },
          ],
          envFrom: [{ secretRef: { name: 'from' } }, { configMapRef: { name: 'from' } }],
        },
      ],
      volumes: [
        { name: 'secret', secret: { secretName: 'volume' } },
        { name: 'map', configMap: { name: 'volume' } },
        { name: 'claim', persistentVolumeClaim: { claimName: 'used' } },
        {
          name: 'both',
          projected: {
            sources: [
              { secret: { name: 'projected' } },
              { configMap: { name: 'projected' } },
              { serviceAccountToken: { path: 't', audience: 'vault' } },
            ],
          },
        },
        {
          name: 'scratch',
          ephemeral: {
            volumeClaimTemplate: {
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
            },
          },
        },
      ],
    },
  };
}

function reads(): Request[] {
  const secrets = [
    'env',
    'from',
    'volume',
    'projected',
    'pull',
    'of-pv',
    'of-controller',
    'other',
    'of-mirror',
    'no',
  ];
  const maps = ['env', 'from', 'volume', 'projected', 'other', 'no'];
  const paths = [
    ...secrets.map((name) => `${IN}/secrets/${name}`),
    ...maps.map((name) => `${IN}/configmaps/${name}`),
    `${IN}/secrets`,
    `${IN}/secrets?fieldSelector=metadata.name%3Denv`,
    `${IN}/secrets?fieldSelector=metadata.name%3Dother`,
    '/api/v1/secrets',
    ...['used', 'pod-a-scratch', 'other', 'no'].map((name) => `${IN}/persistentvolumeclaims/${name}`),
    `${IN}/persistentvolumeclaims`,
    ...['used', 'unused', 'free', 'no'].map((name) => `/api/v1/persistentvolumes/${name}`),
    ...['a', 'b', 'no'].map((name) => `/apis/storage.k8s.io/v1/volumeattachments/${name}`),
    `${IN}/serviceaccounts/robot`,
    `${IN}/serviceaccounts`,
    ...['pod-a', 'pod-b', 'pod-free', 'mirror-a', 'no'].map((name) => `${IN}/pods/${name}`),
    `${IN}/pods`,
    '/api/v1/pods',
    '/api/v1/pods?fieldSelector=spec.nodeName%3Da',
    '/api/v1/pods?fieldSelector=spec.nodeName%3D%3Da',
    '/api/v1/pods?fieldSelector=spec.nodeName%3Db',
    '/api/v1/pods?fieldSelector=spec.nodeName%21%3Db',
    '/api/v1/pods?fieldSelector=spec.nodeName%3Db%2Cspec.nodeName%3Da',
    '/api/v1/pods?fieldSelector=spec.nodeName%3Da%2Cmetadata.name%3Dpod-b',
    `${IN}/pods?fieldSelector=metadata.name%3Dpod-a`,
    `${IN}/pods?fieldSelector=metadata.name%3Dpod-b`,
    `${IN}/pods/pod-a/status`,
    `${IN}/pods/pod-a/log`,
    `${NODES}/a`,
    `${NODES}/b`,
    NODES,
    `${NODES}?fieldSelector=metadata.name%3Da`,
    `${NODES}/a/status`,
    `${LEASES}/b`,
    LEASES,
    '/apis/coordination.k8s.io/v1/namespaces/n/leases/a',
    '/apis/storage.k8s.io/v1/csinodes/b',
    '/apis/storage.k8s.io/v1/csinodes',
    '/apis/storage.k8s.io/v1/csidrivers',
    '/apis/node.k8s.io/v1/runtimeclasses',
    '/api/v1/services?labelSelector=none',
    '/api/v1/events',
    `${IN}/endpoints/no`,
    `${IN}/endpoints`,
    REQUESTS,
    '/apis/apps/v1/deployments',
    '/readyz',
  ];
  return [
    ...paths.map((path) => read(path)),
    read(`${NODES}/a`, NO_NODE),
    read(`${IN}/secrets/env`, NO_GROUP),
  ];
}

function writes(): Request[] {
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'a', uid: 'unknown', controller: true };
  const mirror = (metadata: JsonObject, spec: JsonObject = {}) => ({
    metadata: { name: 'new', annotations: MIRROR, ownerReferences: [owner], ...metadata },
    spec: { nodeName: 'a', containers: [CONTAINER], ...spec },
  });
  const volume = (source: JsonObject) => ({ volumes: [{ name: 'v', ...source }] });
  return [
    // Nodes and their labels.
    patched(`${NODES}/b`, { metadata: { labels: { x: 'y' } } }),
    patched(`${NODES}/a`, { metadata: { labels: { x: 'y' } } }),
    ...[
      'node-restriction.kubernetes.io/x',
      'a.node-restriction.kubernetes.io/x',
      'kubernetes.io/x',
      'a.k8s.io/x',
      'k8s.io/x',
      'node-role.kubernetes.io/x',
      'node.kubernetes.io/x',
      'a.node.kubernetes.io/x',
      'kubelet.kubernetes.io/x',
      'kubernetes.io/os',
      'topology.kubernetes.io/zone',
      'beta.kubernetes.io/arch',
      'beta.kubernetes.io/x',
      'failure-domain.beta.kubernetes.io/zone',
      'example.com/x',
    ].map((label) => patched(`${NODES}/a`, { metadata: { labels: { [label]: 'v' } } })),
    patched(`${NODES}/a/status`, { metadata: { labels: { 'kubernetes.io/y': 'v', 'k8s.io/z': 'v' } } }),
    patched(`${NODES}/a/status`, { status: { phase: 'Running' } }),
    patched(`${NODES}/a`, { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } }),
    patched(`${NODES}/a`, { spec: { taints: [] } }),
    wrote(NODES, { metadata: { name: 'c' } }),
    { ...wrote(`${IN}/secrets`, { metadata: { name: 'of-none' } }), headers: NO_NODE },
    wrote(NODES, { metadata: { name: 'a' } }),
    removed(`${NODES}/a`),
    {
      ...wrote(NODES, { metadata: { name: 'd', labels: { 'node-role.kubernetes.io/x': '', b: 'c' } } }),
      headers: { 'Impersonate-User': 'system:node:d', 'Impersonate-Group': 'system:nodes' },
    },
    {
      ...wrote(NODES, { metadata: { name: 'd', labels: { 'kubernetes.io/hostname': 'd', b: 'c' } } }),
      headers: { 'Impersonate-User': 'system:node:d', 'Impersonate-Group': 'system:nodes' },
    },
    // Mirror pods.
    wrote(`${IN}/pods`, mirror({ annotations: {} })),
    wrote(`${IN}/pods`, mirror({}, { nodeName: 'b' })),
    wrote(`${IN}/pods`, mirror({ ownerReferences: [] })),
    wrote(`${IN}/pods`, mirror({ ownerReferences: [{ ...owner, name: 'b' }] })),
    wrote(`${IN}/pods`, mirror({ ownerReferences: [{ ...owner, controller: false }] })),
    wrote(`${IN}/pods`, mirror({ ownerReferences: [{ ...owner, blockOwnerDeletion: true }] })),
    wrote(
      `${IN}/pods`,
      mirror({ ownerReferences: [owner, { ...owner, controller: false, uid: 'another' }] }),
    ),
    wrote(
      `${IN}/pods`,
      mirror({ ownerReferences: [{ ...owner, uid: OWN_UID }] }, { serviceAccountName: 'robot' }),
    ),
    ...Array.of<JsonObject>(
      { secret: { secretName: 'other' } },
      { configMap: { name: 'other' } },
      { persistentVolumeClaim: { claimName: 'other' } },
      { projected: { sources: [{ secret: { name: 'other' } }] } },
    ).map((source) =>
      wrote(`${IN}/pods`, mirror({ ownerReferences: [{ ...owner, uid: OWN_UID }] }, volume(source))),
    ),
    wrote(`${IN}/pods`, mirror({ ownerReferences: [{ ...owner, uid: OWN_UID }] })),
    wrote(`${IN}/pods`, mirror({ ownerReferences: [{ ...owner, uid: OWN_UID }] })),
    wrote('/api/v1/namespaces/missing/pods', mirror({ ownerReferences: [{ ...owner, uid: OWN_UID }] })),
    {
      ...wrote(
        `${IN}/pods`,
        mirror({ name: 'of-none', ownerReferences: [{ ...owner, name: 'none' }] }, { nodeName: 'none' }),
      ),
      headers: { 'Impersonate-User': 'system:node:none', 'Impersonate-Group': 'system:nodes' },
    },
    ...mirrorOfClaim({ ...owner, uid: OWN_UID }),
    // Pods.
    ...['pod-b', 'pod-free', 'no'].map((name) => removed(`${IN}/pods/${name}`)),
    patched(`${IN}/pods/pod-a`, { metadata: { labels: { x: 'y' } } }),
    patched(`${IN}/pods/pod-b/status`, { status: { phase: 'Running' } }),
    patched(`${IN}/pods/pod-a/status`, { status: { phase: 'Running' } }),
    patched(`${IN}/pods/pod-a/status`, { metadata: { labels: { x: 'y' } } }),
    wrote(`${IN}/pods/pod-b/eviction`, { metadata: { name: 'pod-b' } }, 'policy/v1', 'Eviction'),
    wrote(`${IN}/pods/pod-a/binding`, { metadata: { name: 'pod-a' }, target: { name: 'b' } }),
    removed(`${IN}/pods`),
    removed(`${IN}/pods/new?gracePeriodSeconds=0`),
    // Claims.
    patched(`${IN}/persistentvolumeclaims/used`, { metadata: { labels: { x: 'y' } } }),
    patched(`${IN}/persistentvolumeclaims/used/status`, { status: { capacity: { storage: '2Gi' } } }),
    patched(`${IN}/persistentvolumeclaims/other/status`, { status: { capacity: { storage: '2Gi' } } }),
    // Leases and CSINodes.
    wrote(LEASES, { metadata: { name: 'b' } }),
    wrote(LEASES, { metadata: { name: 'c' } }),
    wrote(LEASES, { metadata: { name: 'a' } }),
    wrote('/apis/coordination.k8s.io/v1/namespaces/n/leases', { metadata: { name: 'a' } }),
    patched(`${LEASES}/a`, { spec: { holderIdentity: 'a' } }),
    patched(`${LEASES}/b`, { spec: { holderIdentity: 'a' } }),
    removed(`${LEASES}/b`),
    removed(`${LEASES}/a`),
    wrote('/apis/storage.k8s.io/v1/csinodes', { metadata: { name: 'c' }, spec: { drivers: [] } }),
    wrote('/apis/storage.k8s.io/v1/csinodes', { metadata: { name: 'a' }, spec: { drivers: [] } }),
    removed('/apis/storage.k8s.io/v1/csinodes/b'),
    // Other kinds.
    wrote(`${IN}/secrets`, { metadata: { name: 'mine' } }),
    removed(`${IN}/secrets/env`),
    wrote(`${IN}/events`, {
      metadata: { name: 'e' },
      involvedObject: { namespace: 'n', kind: 'Pod', name: 'pod-a' },
    }),
    ...certificates(),
    ...tokens(),
  ];
}

/** A mirror pod whose ephemeral volume has the name of another pod's claim, and attempts to make it an ordinary pod. */
function mirrorOfClaim(owner: JsonObject): Request[] {
  const pod = {
    metadata: { name: 'pod-b', annotations: MIRROR, ownerReferences: [owner] },
    spec: {
      nodeName: 'a',
      containers: [CONTAINER],
      volumes: [
        {
          name: 'scratch',
          ephemeral: {
            volumeClaimTemplate: {
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
            },
          },
        },
      ],
    },
  };
  const metadata = { annotations: { 'kubernetes.io/config.mirror': null } };
  const as = (name: string) => ({ ...pod, metadata: { ...pod.metadata, name } });
  return [
    wrote(`${IN}/pods`, as('other')),
    patched(`${IN}/pods/other/status`, { metadata }),
    patched(`${IN}/pods/other/status`, { metadata: { annotations: { 'kubernetes.io/config.mirror': 'y' } } }),
    patched(`${IN}/pods/pod-a/status`, { metadata: { annotations: MIRROR } }),
    read(`${IN}/persistentvolumeclaims/other-scratch`),
    { ...patched(`${IN}/pods/other`, { metadata }), headers: {} },
    { ...patched(`${IN}/pods/pod-a`, { metadata: { annotations: MIRROR } }), headers: {} },
    {
      ...patched(`${IN}/pods/pod-a/status`, {
        metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } },
      }),
      headers: {},
    },
    {
      ...made(`${IN}/pods`, {
        metadata: { name: 'unbound', annotations: MIRROR },
        spec: { containers: [CONTAINER] },
      }),
      case: 'an administrator creates a mirror pod without a node',
    },
  ];
}

/** Requests for tokens that are refused. Signing needs a key, which the in-process API does not have. */
function tokens(): Request[] {
  const bound = (name: string, uid: string) => ({ apiVersion: 'v1', kind: 'Pod', name, ...(uid && { uid }) });
  const uid = `\${${world().findIndex(({ body }) => nameIn(body) === 'pod-a') + 1}.metadata.uid}`;
  const ask = (account: string, spec: JsonObject) =>
    wrote(`${IN}/serviceaccounts/${account}/token`, { spec }, 'authentication.k8s.io/v1', 'TokenRequest');
  return [
    ask('other', { audiences: ['x'] }),
    ask('robot', { audiences: ['x'] }),
    ask('robot', { audiences: ['x'], boundObjectRef: bound('pod-a', '') }),
    ask('robot', { audiences: ['x'], boundObjectRef: bound('pod-a', 'unknown') }),
    ask('robot', { audiences: ['x'], boundObjectRef: bound('no', 'unknown') }),
    ask('robot', { audiences: ['x'], boundObjectRef: bound('pod-a', uid) }),
    ask('robot', { audiences: ['vault', 'x'], boundObjectRef: bound('pod-a', uid) }),
    ask('robot', { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'env', uid: 'x' } }),
  ];
}

function nameIn(body: JsonValue | undefined): unknown {
  return (body as { metadata?: { name?: unknown } } | undefined)?.metadata?.name;
}

/** The output of openssl for `O=system:nodes, CN=system:node:b`, and for node a. The keys no longer exist. */
const CERTIFICATES: Readonly<Record<string, readonly string[]>> = {
  a: [
    'MIHrMIGRAgEAMC8xFTATBgNVBAoMDHN5c3RlbTpub2RlczEWMBQGA1UEAwwNc3lz',
    'dGVtOm5vZGU6YTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABDiRHZ/OpyZWUlPd',
    'WsGMDXWzVvkEm8wSOToGnahDMKtXtnYp4lxMqJ2vI5jOsTYpQ8pDCTa06Hiv2ltW',
    'KGCzm9WgADAKBggqhkjOPQQDAgNJADBGAiEA/Q6km0zd5EiMDsjVoBUYWLZ5mkAN',
    'aJ/q02gFcL+wnUsCIQC1asw3VNq13nB7HwEKvpsFiZmtQwWz50da5KvLix+C5Q==',
  ],
  b: [
    'MIHpMIGRAgEAMC8xFTATBgNVBAoMDHN5c3RlbTpub2RlczEWMBQGA1UEAwwNc3lz',
    'dGVtOm5vZGU6YjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKSVSUm/OQZ1sJE6',
    'pZjetTFVCC0fZSJULphK8PTuvAjpiViqmACDIOxu1TjCViZke7C1ursw2xUDmgn7',
    '1AkrGvGgADAKBggqhkjOPQQDAgNHADBEAiBerbXZq6MvnYvE+ggWnnxMFymiG950',
    'BLMFNIAZIuxqxwIgfq52/A5n2864BOQ57io8rJ/WfTytpBXQxLCCma1H4fc=',
  ],
};

function certificates(): Request[] {
  return Object.entries(CERTIFICATES).flatMap(([name, lines]) =>
    ['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client-kubelet', 'example.com/s'].map(
      (signerName, at) => {
        const pem = [
          '-----BEGIN CERTIFICATE REQUEST-----',
          ...lines,
          '-----END CERTIFICATE REQUEST-----',
          '',
        ];
        const spec = {
          request: Buffer.from(pem.join('\n')).toString('base64'),
          usages: ['digital signature', 'key encipherment', 'server auth'],
          signerName,
        };
        return wrote(REQUESTS, { metadata: { name: `for-${name}-${at}` }, spec });
      },
    ),
  );
}

/** Reviews of the rights of nodes, by an administrator and by the node itself. */
function reviews(): Request[] {
  const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
  const ask = (resourceAttributes: JsonObject) => ({
    ...made(path, { spec: { user: 'system:node:a', groups: ['system:nodes'], resourceAttributes } }),
    case: `review ${JSON.stringify(resourceAttributes)}`,
  });
  return [
    ask({ verb: 'get', resource: 'secrets', namespace: 'n', name: 'env' }),
    ask({ verb: 'get', resource: 'secrets', namespace: 'n', name: 'other' }),
    ask({ verb: 'list', resource: 'pods' }),
    ask({ verb: 'list', resource: 'pods', fieldSelector: { rawSelector: 'spec.nodeName=a' } }),
    ask({
      verb: 'list',
      resource: 'pods',
      fieldSelector: { requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['a'] }] },
    }),
    ask({ verb: 'list', resource: 'services' }),
    ask({ verb: 'get', resource: 'persistentvolumes', namespace: 'n', name: 'used' }),
    ask({ verb: 'get', resource: 'persistentvolumes', name: 'used' }),
    {
      ...wrote(
        '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        { spec: { resourceAttributes: { verb: 'get', resource: 'secrets', namespace: 'n', name: 'env' } } },
        'authorization.k8s.io/v1',
        'SelfSubjectAccessReview',
      ),
    },
    {
      ...wrote(
        '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
        { spec: { namespace: 'n' } },
        'authorization.k8s.io/v1',
        'SelfSubjectRulesReview',
      ),
    },
  ];
}

/** A request of an administrator that prepares others. */
function made(path: string, body: JsonObject): Request {
  return { method: 'POST', path, contentType: 'application/json', body };
}

function read(path: string, headers: Readonly<Record<string, string>> = AS_A): Request {
  return { case: `GET ${path} ${headers['Impersonate-User'] ?? ''}`, method: 'GET', path, headers };
}

function wrote(path: string, body: JsonObject, apiVersion?: string, kind?: string): Request {
  const typed = {
    ...(apiVersion !== undefined && { apiVersion }),
    ...(kind !== undefined && { kind }),
    ...body,
  };
  return { ...made(path, typed), case: `POST ${path} ${JSON.stringify(body)}`, headers: AS_A };
}

function patched(path: string, body: JsonObject): Request {
  const contentType = 'application/strategic-merge-patch+json';
  const title = `PATCH ${path} ${JSON.stringify(body)}`;
  return { case: title, method: 'PATCH', path, contentType, body, headers: AS_A };
}

function removed(path: string): Request {
  return { case: `DELETE ${path}`, method: 'DELETE', path, headers: AS_A };
}
