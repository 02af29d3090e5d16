import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../../../lib/json/index.ts';
import { tableLayout } from '../../../../lib/kubernetes/columns/index.ts';
import {
  isStored,
  type ResourceType,
  resourceTypes,
} from '../../../../lib/kubernetes/resource-types/index.ts';

const now = Date.parse('2030-01-01T00:10:00Z');
const created = { name: 'a', creationTimestamp: '2030-01-01T00:00:00Z' };
const template = {
  spec: {
    containers: [
      { name: 'c', image: 'i:1' },
      { name: 'd', image: 'j:2' },
    ],
  },
};
const selector = { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'Exists' }] };

function typeOf(kind: string): ResourceType {
  const found = resourceTypes.find((type) => type.kind === kind);
  if (found === undefined) throw new Error(`there is no ${kind}`);
  return found;
}

/** The cells that `kubectl get -o wide` prints for an object, by column. */
function row(kind: string, body: JsonObject): Record<string, JsonValue> {
  const type = typeOf(kind);
  const { group, version } = type;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const object = { metadata: created, ...body, apiVersion, kind };
  return Object.fromEntries(
    tableLayout(type).columns.map((column) => [column.name, column.cell(object, now)]),
  );
}

const HEADERS: Readonly<Record<string, string>> = {
  ConfigMap: 'Name Data Age',
  CustomResourceDefinition: 'Name|Created At',
  ComponentStatus: 'Name Status Message Error',
  Endpoints: 'Name Endpoints Age',
  LimitRange: 'Name|Created At',
  PersistentVolume:
    'Name|Capacity|Access Modes|Reclaim Policy|Status|Claim|StorageClass|VolumeAttributesClass|Reason|Age',
  PodTemplate: 'Name|Containers|Images|Pod Labels',
  ResourceQuota: 'Name Request Limit Age',
  MutatingAdmissionPolicy: 'Name Mutations ParamKind Age',
  MutatingAdmissionPolicyBinding: 'Name PolicyName ParamRef Age',
  MutatingWebhookConfiguration: 'Name Webhooks Age',
  ValidatingAdmissionPolicy: 'Name Validations ParamKind Age',
  ValidatingAdmissionPolicyBinding: 'Name PolicyName ParamRef Age',
  ValidatingWebhookConfiguration: 'Name Webhooks Age',
  APIService: 'Name Service Available Age',
  HorizontalPodAutoscaler: 'Name Reference Targets MinPods MaxPods Replicas Age',
  CertificateSigningRequest: 'Name Age SignerName Requestor RequestedDuration Condition',
  FlowSchema: 'Name PriorityLevel MatchingPrecedence DistinguisherMethod Age MissingPL',
  PriorityLevelConfiguration: 'Name Type NominalConcurrencyShares Queues HandSize QueueLengthLimit Age',
  RuntimeClass: 'Name Handler Age',
  PriorityClass: 'Name Value Global-Default Age',
  CSIDriver: 'Name AttachRequired PodInfoOnMount StorageCapacity TokenRequests RequiresRepublish Modes Age',
  CSINode: 'Name Drivers Age',
  CSIStorageCapacity: 'Name StorageClassName Capacity',
  StorageClass: 'Name Provisioner ReclaimPolicy VolumeBindingMode AllowVolumeExpansion Age',
  VolumeAttachment: 'Name Attacher PV Node Attached Age',
  Event: 'Last Seen|Type|Reason|Object|Message',
  Namespace: 'Name Status Age',
  Node: 'Name Status Roles Age Version',
  PersistentVolumeClaim: 'Name|Status|Volume|Capacity|Access Modes|StorageClass|VolumeAttributesClass|Age',
  Pod: 'Name Ready Status Restarts Age',
  ReplicationController: 'Name Desired Current Ready Age',
  Secret: 'Name Type Data Age',
  ServiceAccount: 'Name Secrets Age',
  Service: 'Name Type Cluster-IP External-IP Port(s) Age',
  ControllerRevision: 'Name Controller Revision Age',
  DaemonSet: 'Name|Desired|Current|Ready|Up-to-date|Available|Node Selector|Age',
  Deployment: 'Name Ready Up-to-date Available Age',
  ReplicaSet: 'Name Desired Current Ready Age',
  StatefulSet: 'Name Ready Age',
  CronJob: 'Name|Schedule|Timezone|Suspend|Active|Last Schedule|Age',
  Job: 'Name Status Completions Duration Age',
  Lease: 'Name Holder Age',
  EndpointSlice: 'Name AddressType Ports Endpoints Age',
  IPAddress: 'Name ParentRef',
  ServiceCIDR: 'Name CIDRs Age',
  IngressClass: 'Name Controller Parameters Age',
  Ingress: 'Name Class Hosts Address Ports Age',
  NetworkPolicy: 'Name Pod-Selector Age',
  PodDisruptionBudget: 'Name|Min Available|Max Unavailable|Allowed Disruptions|Age',
  ClusterRoleBinding: 'Name Role Age',
  ClusterRole: 'Name|Created At',
  RoleBinding: 'Name Role Age',
  Role: 'Name|Created At',
  AccessGrant: 'Name Role Selector Age',
  ClusterAccessGrant: 'Name Role Selector Age',
  Subscription: 'Name Resource Selector Phase Queue Age',
  AccessEntry: 'Name Principal Username Groups Age',
  Canary: 'Name Age',
  Tally: 'Name Resource Selector Count Bounds Phase Age',
};

describe('the columns of every type', () => {
  it.each(resourceTypes.filter(isStored).map((type) => [type.kind, type] as const))(
    'the columns match those of kubectl get: %s',
    (kind, type) => {
      const { columns } = tableLayout(type);
      const shown = columns.filter(({ priority }) => priority === 0).map(({ name }) => name);
      const expected = HEADERS[kind] ?? '';
      expect(shown).toEqual(expected.split(expected.includes('|') ? '|' : ' '));
    },
  );

  it.each(resourceTypes.map((type) => [type.kind, type] as const))(
    'every column has a scalar cell for any body of %s',
    async (_, type) => {
      await type.storedAs?.load?.();
      const { columns } = tableLayout(type);
      const odd = [null, 1, 'x', true, [], [null], [{}], {}, { matchLabels: 1 }, { a: { b: null } }];
      const bodies = odd.map((value) => ({
        metadata: value,
        spec: value,
        status: value,
        data: value,
        subsets: value,
      }));
      const cells = [{}, ...bodies].flatMap((body) => columns.map((column) => column.cell(body, now)));
      const scalar = ['string', 'number', 'boolean'];
      expect(cells.filter((cell) => !scalar.includes(typeof cell))).toEqual([]);
    },
  );
});

const CASES: readonly [string, string, JsonObject, Record<string, JsonValue>][] = [
  [
    'ConfigMap',
    'with both kinds of data',
    { data: { a: '' }, binaryData: { b: '', c: '' } },
    { Data: 3, Age: '10m' },
  ],
  [
    'HorizontalPodAutoscaler',
    'of three metrics',
    {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        maxReplicas: 4,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { averageUtilization: 80 } } },
          { type: 'Pods', pods: { metric: { name: 'rps' }, target: { averageValue: '1k' } } },
          { type: 'External', external: { target: { value: '5' } } },
        ],
      },
      status: { currentMetrics: [{ type: 'Resource', resource: { current: { averageUtilization: 40 } } }] },
    },
    {
      Reference: 'Deployment/web',
      Targets: 'cpu: 40%/80%, <unknown>/1k + 1 more...',
      MinPods: '<unset>',
      MaxPods: 4,
      Replicas: 0,
    },
  ],
  [
    'ResourceQuota',
    'that is used',
    {
      status: {
        hard: { pods: '5', cpu: '1', 'limits.cpu': '2' },
        used: { pods: '3', 'limits.cpu': '500m' },
      },
    },
    { Request: 'cpu: 0/1, pods: 3/5', Limit: 'limits.cpu: 500m/2' },
  ],
  [
    'PersistentVolume',
    'with a claim',
    {
      spec: {
        capacity: { storage: '1Gi' },
        claimRef: { namespace: 'n', name: 'c' },
        accessModes: ['ReadWriteOnce'],
      },
    },
    { Capacity: '1Gi', Claim: 'n/c', 'Access Modes': 'RWO' },
  ],
  ['Secret', 'of no type', { data: { a: '' } }, { Type: 'Opaque', Data: 1 }],
  ['Namespace', 'just made', {}, { Name: 'a', Status: 'Active' }],
  ['Namespace', 'being emptied', { status: { phase: 'Terminating' } }, { Status: 'Terminating' }],
  [
    'Service',
    'just made',
    { spec: {} },
    {
      Type: 'ClusterIP',
      'Cluster-IP': '<none>',
      'External-IP': '<none>',
      'Port(s)': '<none>',
      Selector: '<none>',
    },
  ],
  [
    'Service',
    'of ports',
    {
      spec: {
        type: 'NodePort',
        clusterIP: '10.0.0.1',
        ports: [{ port: 80 }, { port: 53, protocol: 'UDP', nodePort: 30053 }],
        selector: { b: '2', a: '1' },
      },
    },
    { Type: 'NodePort', 'Cluster-IP': '10.0.0.1', 'Port(s)': '80/TCP,53:30053/UDP', Selector: 'a=1,b=2' },
  ],
  [
    'Service',
    'that waits for its load balancer',
    { spec: { type: 'LoadBalancer' } },
    { 'External-IP': '<pending>' },
  ],
  [
    'Service',
    'with a load balancer',
    { spec: { type: 'LoadBalancer' }, status: { loadBalancer: { ingress: [{ hostname: 'lb' }] } } },
    { 'External-IP': 'lb' },
  ],
  [
    'Service',
    'elsewhere',
    { spec: { type: 'ExternalName', externalName: 'example.org' } },
    { 'External-IP': 'example.org' },
  ],
  [
    'Endpoints',
    'of many',
    { subsets: [{ addresses: [{ ip: '1.1.1.1' }, { ip: '2.2.2.2' }], ports: [{ port: 80 }, { port: 81 }] }] },
    { Endpoints: '1.1.1.1:80,2.2.2.2:80,1.1.1.1:81 + 1 more...' },
  ],
  ['Endpoints', 'of none', {}, { Endpoints: '<none>' }],
  [
    'Node',
    'nobody has heard of',
    {},
    { Status: 'Unknown', Roles: '<none>', Version: '', 'Internal-IP': '<none>', 'OS-Image': '<unknown>' },
  ],
  [
    'Node',
    'cordoned',
    {
      metadata: {
        ...created,
        labels: { 'node-role.kubernetes.io/worker': '', 'kubernetes.io/role': 'edge' },
      },
      spec: { unschedulable: true },
      status: {
        conditions: [{ type: 'Ready', status: 'True' }],
        addresses: [{ type: 'InternalIP', address: '10.0.0.9' }],
      },
    },
    { Status: 'Ready,SchedulingDisabled', Roles: 'edge,worker', 'Internal-IP': '10.0.0.9' },
  ],
  [
    'Deployment',
    'just made',
    { spec: { selector, template } },
    { Ready: '0/1', 'Up-to-date': 0, Containers: 'c,d', Images: 'i:1,j:2', Selector: 'app=web,tier' },
  ],
  [
    'Deployment',
    'rolled out',
    { spec: { replicas: 3 }, status: { readyReplicas: 2, updatedReplicas: 3, availableReplicas: 2 } },
    { Ready: '2/3', 'Up-to-date': 3, Available: 2 },
  ],
  [
    'Deployment',
    'stored with a bad selector',
    { spec: { selector: { matchLabels: { a: 'b c' } } } },
    { Selector: '<error>' },
  ],
  ['ReplicaSet', 'scaled to nothing', { spec: { replicas: 0 } }, { Desired: 0, Current: 0, Ready: 0 }],
  [
    'DaemonSet',
    'on some nodes',
    { spec: { template: { spec: { nodeSelector: { disk: 'ssd' } } } } },
    { 'Node Selector': 'disk=ssd', Desired: 0 },
  ],
  [
    'ControllerRevision',
    'of a set',
    {
      revision: 4,
      metadata: {
        ...created,
        ownerReferences: [{ controller: true, apiVersion: 'apps/v1', kind: 'StatefulSet', name: 's' }],
      },
    },
    { Controller: 'statefulset.apps/s', Revision: 4 },
  ],
  ['Job', 'not begun', { spec: {} }, { Status: 'Running', Completions: '0/1', Duration: '' }],
  ['Job', 'of a work queue', { spec: { parallelism: 3 } }, { Completions: '0/1 of 3' }],
  [
    'Job',
    'done',
    {
      spec: { completions: 2 },
      status: {
        succeeded: 2,
        conditions: [{ type: 'Complete', status: 'True' }],
        startTime: '2030-01-01T00:00:00Z',
        completionTime: '2030-01-01T00:01:00Z',
      },
    },
    { Status: 'Complete', Completions: '2/2', Duration: '60s' },
  ],
  [
    'CronJob',
    'never run',
    { spec: { schedule: '* * * * *' } },
    { Schedule: '* * * * *', Timezone: '<none>', Suspend: 'False', Active: 0, 'Last Schedule': '<none>' },
  ],
  [
    'CronJob',
    'that runs',
    { spec: { suspend: true }, status: { active: [{}], lastScheduleTime: '2030-01-01T00:09:00Z' } },
    { Suspend: 'True', Active: 1, 'Last Schedule': '60s' },
  ],
  ['Lease', 'held', { spec: { holderIdentity: 'me' } }, { Holder: 'me' }],
  [
    'EndpointSlice',
    'of many',
    {
      addressType: 'IPv4',
      ports: [{ port: 80 }, { name: 'any' }],
      endpoints: [{ addresses: ['1', '2'] }, { addresses: ['3', '4'] }],
    },
    { AddressType: 'IPv4', Ports: '80,any', Endpoints: '1,2,3 + 1 more...' },
  ],
  ['EndpointSlice', 'of none', {}, { Ports: '<unset>', Endpoints: '<unset>' }],
  [
    'Ingress',
    'with TLS',
    {
      spec: { tls: [{}], rules: [{ host: 'a' }, { host: 'b' }] },
      status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
    },
    { Class: '<none>', Hosts: 'a,b', Address: '1.2.3.4', Ports: '80, 443' },
  ],
  ['Ingress', 'for any host', { spec: {} }, { Hosts: '*', Address: '', Ports: '80' }],
  [
    'IngressClass',
    'with parameters',
    { spec: { controller: 'c', parameters: { apiGroup: 'g', kind: 'K', name: 'n' } } },
    { Controller: 'c', Parameters: 'K.g/n' },
  ],
  [
    'IPAddress',
    'of a service',
    { spec: { parentRef: { resource: 'services', namespace: 'default', name: 'web' } } },
    { ParentRef: 'services/default/web' },
  ],
  [
    'ServiceCIDR',
    'of both families',
    { spec: { cidrs: ['10.96.0.0/12', '2001:db8::/64'] } },
    { CIDRs: '10.96.0.0/12,2001:db8::/64' },
  ],
  ['NetworkPolicy', 'of all pods', { spec: { podSelector: {} } }, { 'Pod-Selector': '<none>' }],
  ['NetworkPolicy', 'of some pods', { spec: { podSelector: selector } }, { 'Pod-Selector': 'app=web,tier' }],
  [
    'Event',
    'of a series',
    {
      involvedObject: { kind: 'Pod', name: 'p' },
      message: ' hi \n',
      eventTime: '2030-01-01T00:00:00Z',
      reportingComponent: 'kubelet',
      reportingInstance: 'n1',
      series: { count: 5, lastObservedTime: '2030-01-01T00:09:00Z' },
    },
    {
      'Last Seen': '60s',
      'First Seen': '10m',
      Object: 'pod/p',
      Message: 'hi',
      Source: 'kubelet, n1',
      Count: 5,
    },
  ],
  [
    'Subscription',
    'just made',
    { spec: { resource: { group: 'apps', resource: 'deployments' }, selector } },
    { Resource: 'deployments.apps', Selector: 'app=web,tier', Phase: '<none>', Queue: '<none>' },
  ],
  [
    'Subscription',
    'by a string',
    {
      spec: { resource: { group: '', resource: 'pods' }, labelSelector: 'tier in (a)' },
      status: { phase: 'Ready', queueUrl: 'https://q' },
    },
    { Resource: 'pods', Selector: 'tier in (a)', Phase: 'Ready', Queue: 'https://q' },
  ],
];

describe('the cells of kubectl get', () => {
  it.each(CASES)('kubectl get shows a %s %s', (kind, _, body, cells) => {
    expect(row(kind, body)).toMatchObject(cells);
  });
});

it('kubectl get shows the capacity and access modes of a claim once it has a volume', () => {
  const spec = { storageClassName: 'fast', volumeMode: 'Filesystem' };
  const status = {
    phase: 'Bound',
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteMany', 'ReadWriteOnce'],
  };
  expect(row('PersistentVolumeClaim', { spec, status })).toMatchObject({ Capacity: '', 'Access Modes': '' });
  expect(row('PersistentVolumeClaim', { spec: { ...spec, volumeName: 'v' }, status })).toMatchObject({
    Status: 'Bound',
    Volume: 'v',
    Capacity: '1Gi',
    'Access Modes': 'RWO,RWX',
    StorageClass: 'fast',
    VolumeAttributesClass: '<unset>',
  });
});

it('kubectl get shows the namespaces that a Tally counts', () => {
  const shown = (spec: JsonObject) => row('Tally', { spec }).Namespaces;
  expect(shown({ namespaces: 'Own' })).toBe('Own');
  expect(shown({ namespaceSelector: { matchLabels: { team: 'pink' } } })).toBe('team=pink');
  expect(shown({ namespaceSelector: {} })).toBe('All');
});

it('kubectl get shows the subjects of a role binding', () => {
  const subjects: JsonObject[] = [
    { kind: 'User', name: 'ann' },
    { kind: 'ServiceAccount', namespace: 'shop', name: 'robot' },
    { kind: 'User', name: 'bob' },
  ];
  expect(row('RoleBinding', { roleRef: { kind: 'Role', name: 'reader' }, subjects })).toMatchObject({
    Role: 'Role/reader',
    Users: 'ann, bob',
    Groups: '',
    ServiceAccounts: 'shop/robot',
  });
});

it('kubectl get shows the first fields that a change changed', () => {
  const changed = (...patch: JsonObject[]) => row('History', { patch }).Change;
  const labels = ['a', 'b', 'c', 'd'].map((key) => ({ op: 'remove', path: `/metadata/labels/${key}` }));
  expect(changed({ op: 'add', path: '', value: {} })).toBe('<none>');
  expect(
    changed({ op: 'replace', path: '/spec/replicas', value: 2 }, { op: 'add', path: '/data', value: 1 }),
  ).toBe('~spec.replicas,+data');
  expect(changed(...labels)).toBe('-labels.a,-labels.b,-labels.c + 1 more...');
});
