import type { JsonObject } from '../../lib/json/index.ts';
import { loadFields } from '../../lib/kubernetes/fields/index.ts';
import { findResourceType } from '../../lib/kubernetes/resource-types/index.ts';
import { typedKindIn } from '../../lib/server/objects/typed-kind.ts';
import { DECODE_BAR } from './bars.ts';
import type { Inputs } from './inputs/inputs.ts';
import type { Options } from './options.ts';
import { median, type Report, round } from './report.ts';

/** Batches, and decodings of each; the first batches are not counted. */
const BATCHES = { full: 41, quick: 11 };
const BATCH = 500;
const WARM = 5;

/**
 * `npm run bench -- decode`: how long it takes to read a Deployment of 2 KB by its fields and to give it its defaults,
 * beside parsing the same text.
 */
export async function benchDecode({ quick }: Options, _inputs: Inputs, report: Report): Promise<void> {
  const type = findResourceType('apps', 'v1', 'deployments');
  const kind = type && typedKindIn(await loadFields(), type);
  if (kind === undefined) throw new Error('Deployments have no fields');
  const body = deployment();
  const text = JSON.stringify(body);
  const batches = quick ? BATCHES.quick : BATCHES.full;
  const decode = timed(batches, () => kind.decode(body));
  const parse = timed(batches, () => JSON.parse(text));
  report.add({
    bench: 'decode',
    bytes: text.length,
    microseconds: round(decode),
    parse: round(parse),
    bar: DECODE_BAR,
    reached: decode <= DECODE_BAR,
  });
}

/** The median CPU time of one, in µs, so that others on the machine count less. */
function timed(batches: number, work: () => unknown): number {
  const times: number[] = [];
  for (let batch = 0; batch < batches + WARM; batch += 1) {
    const began = process.cpuUsage();
    for (let turn = 0; turn < BATCH; turn += 1) work();
    const { user, system } = process.cpuUsage(began);
    if (batch >= WARM) times.push((user + system) / BATCH);
  }
  return median(times);
}

/** As Helm charts have them: two containers, probes, volumes. */
function deployment(): JsonObject {
  const labels = { 'app.kubernetes.io/name': 'web', 'app.kubernetes.io/instance': 'shop', tier: 'frontend' };
  const probe = { httpGet: { path: '/healthz', port: 'http' }, initialDelaySeconds: 5, periodSeconds: 10 };
  const container = (name: string): JsonObject => ({
    name,
    image: `registry.example.com/shop/${name}:1.27.3`,
    ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
    env: ['LOG_LEVEL', 'REGION', 'CACHE_URL'].map((one) => ({ name: one, value: `value of ${one}` })),
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '0.5', memory: '0.25Gi' } },
    livenessProbe: probe,
    readinessProbe: probe,
    volumeMounts: [{ name: 'config', mountPath: '/etc/web', readOnly: true }],
    securityContext: { runAsNonRoot: true, allowPrivilegeEscalation: false },
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', labels, annotations: { 'example.com/owner': 'team-web' } },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [container('web'), container('sidecar')],
          volumes: [{ name: 'config', configMap: { name: 'web' } }],
          serviceAccountName: 'web',
          terminationGracePeriodSeconds: 30,
        },
      },
    },
  };
}
