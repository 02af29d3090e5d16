import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../../lib/json/index.ts';
import { warningsOf } from '../../../../../lib/kubernetes/validation/warnings/index.ts';

const pod = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({ metadata, spec });
const container = (more: JsonObject): JsonObject => pod({ containers: [{ name: 'c', ...more }] });
const annotated = (name: string, spec: JsonObject = {}): JsonObject =>
  pod(spec, { annotations: { [name]: 'a' } });
const volume = (more: JsonObject): JsonObject => pod({ volumes: [{ name: 'v', ...more }] });
const items = (...paths: string[]) => paths.map((path, at) => ({ key: `k${at}`, path }));
const PEM = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n';
const ZONE = 'failure-domain.beta.kubernetes.io/zone';
const ZONE_MESSAGE = 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead';

type Case = readonly [what: string, kind: string, body: JsonObject, expected: readonly string[]];

const PODS: readonly Case[] = [
  [
    'about a pod with nothing unusual',
    'Pod',
    container({ env: [{ name: 'A' }, { name: 'B' }], ports: [{ containerPort: 1 }] }),
    [],
  ],
  [
    'about a node selector with an old label',
    'Pod',
    pod({ nodeSelector: { [ZONE]: 'a' } }),
    [`spec.nodeSelector[${ZONE}]: ${ZONE_MESSAGE}`],
  ],
  [
    'about old labels and impossible values in a node affinity',
    'Pod',
    pod({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: ZONE, operator: 'Exists' }] }],
          },
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'In', values: ['-'] }] } },
          ],
        },
      },
    }),
    [
      `spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key: ${ZONE} is ${ZONE_MESSAGE}`,
      "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].values[0]: - is invalid, a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
  ],
  [
    'about a spread over an old label without a selector',
    'Pod',
    pod({ topologySpreadConstraints: [{ topologyKey: ZONE }] }),
    [
      `spec.topologySpreadConstraints[0].topologyKey: ${ZONE} is ${ZONE_MESSAGE}`,
      'spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod',
    ],
  ],
  [
    'about terms of a pod affinity without a selector',
    'Pod',
    pod({
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a' }] },
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: { topologyKey: 'a' } }],
        },
      },
    }),
    [
      'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: a null labelSelector results in matching no pod',
      'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.labelSelector: a null labelSelector results in matching no pod',
    ],
  ],
  [
    'about an annotation without effect',
    'Pod',
    annotated('scheduler.alpha.kubernetes.io/critical-pod'),
    [
      'metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
    ],
  ],
  [
    'about an annotation in place of the seccomp profile of a container',
    'Pod',
    annotated('container.seccomp.security.alpha.kubernetes.io/c', { containers: [{ name: 'c' }] }),
    [
      'metadata.annotations[container.seccomp.security.alpha.kubernetes.io/c]: non-functional in v1.27+; use the "seccompProfile" field instead',
    ],
  ],
  [
    'about volumes that no kubelet mounts any more',
    'Pod',
    pod({ volumes: [{ gitRepo: {} }, { scaleIO: {} }, { storageos: {} }, { rbd: {} }] }),
    [
      'spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+',
      'spec.volumes[1].scaleIO: deprecated in v1.16, non-functional in v1.22+',
      'spec.volumes[2].storageOS: deprecated in v1.22, non-functional in v1.25+',
      'spec.volumes[3].rbd: deprecated in v1.28, non-functional in v1.31+',
    ],
  ],
  [
    'about files of a ConfigMap that hide each other',
    'Pod',
    volume({ configMap: { name: 'm', items: items('a/b', 'a', 'ab', 'a/b/') } }),
    [
      'volume "v" (ConfigMap "m"): overlapping paths: "a" with "a/b"',
      'volume "v" (ConfigMap "m"): overlapping paths: "a/b" with "a/b"',
      'volume "v" (ConfigMap "m"): overlapping paths: "a/b" with "a"',
    ],
  ],
  [
    'about sources of a projected volume that hide each other',
    'Pod',
    volume({
      projected: {
        sources: [
          { secret: { name: 's', items: items('x/token') } },
          { serviceAccountToken: { path: 'x' } },
          {},
        ],
      },
    }),
    [
      'volume "v" (Projected) has no sources provided',
      'volume "v" (Projected): overlapping paths: "x" (ServiceAccountToken) with "x/token" (Secret "s")',
    ],
  ],
  [
    'about host aliases and pull secrets that are in their list twice',
    'Pod',
    pod({
      hostAliases: [{ ip: '1.1.1.1' }, { ip: '1.1.1.1' }],
      imagePullSecrets: [{ name: 'a' }, { name: 'a' }, {}],
    }),
    [
      'spec.hostAliases[1].ip: duplicate ip "1.1.1.1"',
      'spec.imagePullSecrets[1].name: duplicate name "a"',
      'spec.imagePullSecrets[2].name: invalid empty name ""',
    ],
  ],
  [
    'about addresses that are not canonical',
    'Pod',
    pod({ dnsConfig: { nameservers: ['010.0.0.1', '::FFFF:1.2.3.4', '2001:DB8:0:0::1', '2001:db8::1'] } }),
    [
      'spec.dnsConfig.nameservers[0]: non-standard IP address "010.0.0.1" will be considered invalid in a future Kubernetes release: use "10.0.0.1"',
      'spec.dnsConfig.nameservers[1]: non-standard IP address "::FFFF:1.2.3.4" will be considered invalid in a future Kubernetes release: use "1.2.3.4"',
      'spec.dnsConfig.nameservers[2]: IPv6 address "2001:DB8:0:0::1" should be in RFC 5952 canonical format ("2001:db8::1")',
    ],
  ],
  [
    'about an environment variable whose second definition hides the first',
    'Pod',
    container({ env: [{ name: 'A' }, { name: 'A' }, { name: 'A', value: '$(A):more' }] }),
    ['spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply'],
  ],
  [
    'about ports of containers that are there twice or overlap',
    'Pod',
    pod({
      containers: [
        { ports: [{ containerPort: 1 }, { containerPort: 1, hostPort: 2, hostIP: '1.1.1.1' }] },
        { ports: [{ containerPort: 1, hostPort: 2 }, { containerPort: 1 }] },
      ],
    }),
    [
      'spec.containers[0].ports[1]: overlapping port definition with spec.containers[0].ports[0]',
      'spec.containers[1].ports[0]: overlapping port definition with spec.containers[0].ports[0]',
      'spec.containers[1].ports[0]: dangerously ambiguous port definition with spec.containers[0].ports[1]',
      'spec.containers[1].ports[1]: duplicate port definition with spec.containers[0].ports[0]',
      'spec.containers[1].ports[1]: overlapping port definition with spec.containers[0].ports[1]',
      'spec.containers[1].ports[1]: overlapping port definition with spec.containers[1].ports[0]',
    ],
  ],
  [
    'about names of ports that are there twice, and an address without a host port',
    'Pod',
    container({
      ports: [
        { name: 'p', containerPort: 1, protocol: 'TCP', hostIP: '1.1.1.1' },
        { name: 'p', containerPort: 2, protocol: 'TCP' },
      ],
    }),
    [
      'spec.containers[0].ports[0]: hostIP set without hostPort: {Name:p HostPort:0 ContainerPort:1 Protocol:TCP HostIP:1.1.1.1}',
      'spec.containers[0].ports[1]: duplicate port name "p" with spec.containers[0].ports[0], services and probes that select ports by name will use spec.containers[0].ports[0]',
    ],
  ],
  [
    'about amounts that are a part of a byte',
    'Pod',
    container({ resources: { requests: { memory: '1500m', cpu: '1500m' } } }),
    [
      'spec.containers[0].resources.requests[memory]: fractional byte value "1500m" is invalid, must be an integer',
    ],
  ],
];

const OTHERS: readonly Case[] = [
  [
    'about the template of a Deployment, by its path',
    'apps/Deployment',
    { metadata: { name: 'a.b' }, spec: { template: pod({ nodeSelector: { [ZONE]: 'a' } }) } },
    [
      'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
      `spec.template.spec.nodeSelector[${ZONE}]: ${ZONE_MESSAGE}`,
    ],
  ],
  [
    'about the template in a CronJob',
    'batch/CronJob',
    {
      metadata: { name: 'a' },
      spec: {
        jobTemplate: {
          spec: {
            template: annotated('container.apparmor.security.beta.kubernetes.io/c', {
              containers: [{ name: 'c' }],
            }),
          },
        },
      },
    },
    [
      'spec.jobTemplate.spec.template.metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30; use the "appArmorProfile" field instead',
    ],
  ],
  [
    'about an Indexed Job of very many completions',
    'batch/Job',
    {
      metadata: { name: 'a' },
      spec: { completionMode: 'Indexed', completions: 100_001, parallelism: 10_001, template: {} },
    },
    [
      'spec: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail',
    ],
  ],
  [
    'about a certificate that is not PEM',
    'Secret',
    { type: 'kubernetes.io/tls', data: { 'tls.crt': 'YQ==' } },
    ['tls: failed to find any PEM data in certificate input'],
  ],
  [
    'about no certificate that is PEM',
    'Secret',
    { type: 'kubernetes.io/tls', data: { 'tls.crt': Buffer.from(PEM).toString('base64') } },
    [],
  ],
  [
    'about a PersistentVolume of an old plugin, with an old annotation, that is recycled',
    'PersistentVolume',
    {
      metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'a' } },
      spec: { persistentVolumeReclaimPolicy: 'Recycle', storageos: {} },
    },
    [
      'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
      'spec.storageOS: deprecated in v1.22, non-functional in v1.25+',
    ],
  ],
  [
    'about a claim of a part of a byte',
    'PersistentVolumeClaim',
    { spec: { resources: { requests: { storage: '1500m' } } } },
    ['spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer'],
  ],
  [
    'about fields of a Service that its type ignores, and ranges that are ambiguous',
    'Service',
    {
      spec: {
        type: 'ClusterIP',
        externalName: 'a',
        externalIPs: ['', 'a', '01.2', 'fe80::0%eth0'],
        loadBalancerSourceRanges: [
          ...['', 'a', '10.0.0.1', '10.0.0.1/33', '10.0.0.1/x', ' 10.0.0.1/8', '01.2/8', 'fe80::0%eth0/64'],
          ...['10.1.2.3/8', '010.0.0.0/8', '2001:DB8::/32', '2001:db8::1/32'],
        ],
      },
    },
    [
      'spec.loadBalancerSourceRanges[8]: CIDR value "10.1.2.3/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.1.2.3/32"?)',
      'spec.loadBalancerSourceRanges[9]: non-standard CIDR value "010.0.0.0/8" will be considered invalid in a future Kubernetes release: use "10.0.0.0/8"',
      'spec.loadBalancerSourceRanges[10]: IPv6 CIDR value "2001:DB8::/32" should be in RFC 5952 canonical format ("2001:db8::/32")',
      'spec.loadBalancerSourceRanges[11]: CIDR value "2001:db8::1/32" is ambiguous in this context (should be "2001:db8::/32" or "2001:db8::1/128"?)',
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ],
  ],
  [
    'about an Ingress with the annotation of its class',
    'networking.k8s.io/Ingress',
    { metadata: { annotations: { 'kubernetes.io/ingress.class': 'a' } }, spec: {} },
    ['annotation "kubernetes.io/ingress.class" is deprecated, please use \'spec.ingressClassName\' instead'],
  ],
  [
    'about an ambiguous range of a NetworkPolicy',
    'networking.k8s.io/NetworkPolicy',
    { spec: { egress: [{ to: [{ ipBlock: { cidr: '10.0.0.1/8', except: ['10.1.0.0/16'] } }] }] } },
    [
      'spec.egress[0].to[0].ipBlock.cidr: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
    ],
  ],
  [
    'about an EndpointSlice of host names',
    'discovery.k8s.io/EndpointSlice',
    { addressType: 'FQDN', endpoints: [{ addresses: ['a.example'] }] },
    ['spec.addressType: FQDN endpoints are deprecated'],
  ],
  [
    'about a StorageClass for an old label',
    'storage.k8s.io/StorageClass',
    { allowedTopologies: [{ matchLabelExpressions: [{ key: ZONE, values: ['a'] }] }] },
    [`allowedTopologies[0].matchLabelExpressions[0].key: ${ZONE_MESSAGE}`],
  ],
  ['about no kind that Kubernetes does not warn of', 'ConfigMap', { data: {} }, []],
];

describe('warningsOf', () => {
  it.each([...PODS, ...OTHERS])('warns %s', (_, kind, body, expected) => {
    expect(warningsOf(kind, { body })).toEqual(expected);
  });

  it('warns about a pod only when the pod is created', () => {
    const body = container({ env: [{ name: 'A' }, { name: 'A' }] });
    expect(warningsOf('Pod', { body, before: body })).toEqual([]);
  });

  it.each([
    ['changes its spec', 2, 1],
    ['leaves its spec', 1, 0],
  ])('warns about a template when a write %s', (_, generation, count) => {
    const spec = { template: pod({ nodeSelector: { [ZONE]: 'a' } }) };
    const before = { metadata: { name: 'a', generation: 1 }, spec };
    const body = { metadata: { name: 'a', generation }, spec };
    expect(warningsOf('apps/DaemonSet', { body, before })).toHaveLength(count);
  });

  it('warns of a schedule with a time zone only when the CronJob exists, as Kubernetes does', () => {
    const body = { metadata: { name: 'a', generation: 1 }, spec: { schedule: 'TZ=UTC * * * * *' } };
    expect(warningsOf('batch/CronJob', { body })).toEqual([]);
    expect(warningsOf('batch/CronJob', { body, before: body })).toEqual([
      'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
    ]);
  });

  it.each<[string, JsonObject]>([
    [
      'ports of different addresses',
      container({
        ports: Array.from({ length: 20_000 }, (_, at) => ({
          containerPort: 1,
          hostPort: 1,
          hostIP: `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`,
        })),
      }),
    ],
    [
      'files at different paths',
      volume({
        configMap: { name: 'm', items: items(...Array.from({ length: 20_000 }, (_, at) => `f${at}`)) },
      }),
    ],
    ['a file in very many folders', volume({ secret: { items: items('a/'.repeat(300_000), 'a') } })],
    ['equal files', volume({ secret: { items: items(...Array(20_000).fill('a')) } })],
  ])('judges %s in proportion to their size, and returns at most 100 warnings', (_, body) => {
    // If each were compared with all others, this would take minutes.
    expect(warningsOf('Pod', { body }).length).toBeLessThanOrEqual(100);
  });
});
