import type { JsonObject } from '../../../../lib/json/index.ts';
import { CONTAINER, pod } from './make.ts';

function container(fields: JsonObject): JsonObject {
  return pod({ containers: [{ ...CONTAINER, ...fields }] });
}

const probe = (livenessProbe: JsonObject) => container({ livenessProbe });

const CONTAINERS: readonly JsonObject[] = [
  { name: '' },
  { name: 'A' },
  { image: '' },
  { image: ' nginx' },
  { imagePullPolicy: 'Odd' },
  { terminationMessagePolicy: 'Odd' },
  { restartPolicy: 'Always' },
  { ports: [{ containerPort: 0 }, { containerPort: 70_000 }, { containerPort: 1, protocol: 'ODD' }] },
  {
    ports: [
      { containerPort: 1, name: 'A--' },
      { containerPort: 2, name: 'a' },
      { containerPort: 3, name: 'a' },
    ],
  },
  {
    ports: [
      { containerPort: 1, hostPort: 70_000 },
      { containerPort: 2, hostPort: 3 },
      { containerPort: 4, hostPort: 3 },
    ],
  },
  { env: [{ name: '' }, { name: 'a=b' }, { name: 'ok', value: 'x', valueFrom: {} }] },
  { env: [{ name: 'a', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } }] },
  { env: [{ name: 'a', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a b']" } } }] },
  {
    env: [
      {
        name: 'a',
        valueFrom: { fieldRef: { fieldPath: 'status.podIP' }, configMapKeyRef: { name: 'A', key: '' } },
      },
    ],
  },
  { env: [{ name: 'a', value: 'x', valueFrom: { secretKeyRef: { name: 's', key: '..' } } }] },
  { env: [{ name: 'a', valueFrom: { resourceFieldRef: { resource: 'limits.gpu' } } }] },
  { env: [{ name: 'a', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '3' } } }] },
  {
    envFrom: [
      {},
      { prefix: '=', configMapRef: {} },
      { configMapRef: { name: 'A' }, secretRef: { name: 'b' } },
    ],
  },
  { resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } },
  { resources: { requests: { cpu: '-1' }, limits: { odd: '1' } } },
  { resources: { requests: { 'example.com/a': '1.5' }, limits: { 'example.com/a': '2' } } },
  { resources: { requests: { 'example.com/a': '1' } } },
  { resources: { limits: { 'hugepages-2Mi': '3Mi' } } },
  { resources: { limits: { 'hugepages-2Mi': '4Mi' }, requests: { 'hugepages-2Mi': '2Mi' } } },
  { resources: { claims: [{ name: 'x' }, { name: 'x' }] } },
  { resources: { limits: { memory: '100m' } } },
  { resizePolicy: [{ resourceName: 'cpu' }, { resourceName: 'odd', restartPolicy: 'Odd' }] },
  { volumeMounts: [{ name: 'x', mountPath: '' }, { mountPath: '/a' }] },
  { securityContext: { privileged: true, allowPrivilegeEscalation: false } },
  { securityContext: { runAsUser: -1, runAsGroup: -1, procMount: 'Odd' } },
  {
    securityContext: {
      capabilities: { add: ['SYS_ADMIN', 'CAP_SYS_ADMIN'] },
      allowPrivilegeEscalation: false,
    },
  },
  { securityContext: { seccompProfile: { type: 'Localhost' }, appArmorProfile: { type: 'Odd' } } },
  { securityContext: { seccompProfile: { type: 'Unconfined', localhostProfile: 'a' } } },
  { lifecycle: { postStart: {}, preStop: { exec: {}, httpGet: { port: 1 } } } },
  { lifecycle: { preStop: { sleep: { seconds: 100 } } } },
  { lifecycle: { stopSignal: 'SIGTERM' } },
  { lifecycle: { postStart: { tcpSocket: { port: 'a_b' } } } },
];

const PROBES: readonly JsonObject[] = [
  {},
  { exec: {} },
  { httpGet: { port: 0, path: '', scheme: 'FTP', httpHeaders: [{ name: 'a b' }] } },
  { httpGet: { port: 'http', path: 'x', host: 'h' } },
  { tcpSocket: { port: 'TOO-LONG-PORT-NAME' }, exec: { command: ['a'] } },
  { grpc: { port: 70_000 } },
  {
    exec: { command: ['a'] },
    successThreshold: 2,
    periodSeconds: -1,
    timeoutSeconds: -1,
    initialDelaySeconds: -1,
  },
  { exec: { command: ['a'] }, failureThreshold: -1, terminationGracePeriodSeconds: 0 },
];

const POD_SPECS: readonly JsonObject[] = [
  { restartPolicy: 'Odd', dnsPolicy: 'Odd' },
  { dnsPolicy: 'None' },
  { dnsPolicy: 'None', dnsConfig: {} },
  {
    dnsConfig: {
      nameservers: ['a', '1.1.1.1', '2.2.2.2', '3.3.3.3'],
      searches: ['A_b', '.', 'ok.'],
      options: [{ name: '' }],
    },
  },
  { activeDeadlineSeconds: 0 },
  { terminationGracePeriodSeconds: -1 },
  { hostNetwork: true, containers: [{ ...CONTAINER, ports: [{ containerPort: 1, hostPort: 2 }] }] },
  { hostAliases: [{ ip: 'a', hostnames: ['A_'] }] },
  { hostname: 'A_', subdomain: 'B_', nodeName: 'C_', serviceAccountName: 'D_' },
  { imagePullSecrets: [{ name: '' }, { name: 'A_' }] },
  { initContainers: [{ ...CONTAINER }] },
  { initContainers: [{ name: 'i', image: 'a', livenessProbe: { exec: { command: ['a'] } }, lifecycle: {} }] },
  { initContainers: [{ name: 'i', image: 'a', restartPolicy: 'Never' }] },
  { ephemeralContainers: [{ name: 'e', image: 'a' }] },
  { os: { name: 'plan9' } },
  { os: { name: 'windows' }, securityContext: { runAsUser: 1, seLinuxOptions: {} } },
  { os: { name: 'linux' }, securityContext: { windowsOptions: { hostProcess: true } } },
  {
    securityContext: {
      runAsUser: -1,
      fsGroup: -1,
      supplementalGroups: [-1],
      sysctls: [{ name: 'A' }, { name: 'a.b' }, { name: 'a.b' }],
    },
  },
  { securityContext: { fsGroupChangePolicy: 'Odd', supplementalGroupsPolicy: 'Odd' } },
  { shareProcessNamespace: true, hostPID: true },
  { readinessGates: [{ conditionType: 'a b' }], schedulingGates: [{ name: 'a' }, { name: 'a' }] },
  { resourceClaims: [{ name: 'a' }, { name: 'a', resourceClaimName: 'x', resourceClaimTemplateName: 'y' }] },
  {
    tolerations: [
      { key: 'a', operator: 'Exists', value: 'x' },
      { operator: 'Odd' },
      { effect: 'Odd', operator: 'Exists' },
    ],
  },
  {
    volumes: [
      { name: 'A_', emptyDir: {} },
      { name: 'v', emptyDir: {} },
      { name: 'v', emptyDir: {} },
    ],
  },
  { setHostnameAsFQDN: true, hostname: 'h'.repeat(60), subdomain: 's' },
  { preemptionPolicy: 'Odd', priorityClassName: 'A_', runtimeClassName: 'B_' },
  { overhead: { cpu: '-1', gold: '1' } },
  { topologySpreadConstraints: [{ maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'Odd', minDomains: 0 }] },
  { containers: [] },
  { hostUsers: false, hostNetwork: true },
  { nodeSelector: { 'a b': 'c d' } },
];

/** Pods and their containers, each with its own oddity. */
export const pods: readonly JsonObject[] = [
  ...CONTAINERS.map(container),
  ...PROBES.map(probe),
  container({ readinessProbe: { exec: { command: ['a'] }, terminationGracePeriodSeconds: 1 } }),
  container({ startupProbe: { exec: { command: ['a'] }, successThreshold: 2 } }),
  ...POD_SPECS.map(pod),
];
