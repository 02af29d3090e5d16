import { equal } from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { openTls } from '../../../infra/local/trust/index.ts';
import { eventually } from '../../support/eventually.ts';
import type { HttpClient } from '../../support/service/http-client.ts';
import { type Background, expectNoFault, freePort, runInBackground } from '../background.ts';
import type { Attempt, Client } from '../client.ts';
import { buildCopy, copyModule, editFile } from '../go-module.ts';
import { createDefinitions, untilTrue } from '../objects.ts';
import { trySteps } from '../outcome-of.ts';

const VERSION = 'v0.17.0';
const MODULE = 'sigs.k8s.io/kueue';
/** The folder of certificates that only root may make. */
const CERTIFICATES = '"/etc/kueue/metrics/certs"';

/**
 * Kueue's controller, built from its Go module. Its conversion and admission webhooks are left out, so it manages no
 * certificates.
 */
export const kueue: Client = {
  name: 'kueue',
  title: `Kueue ${VERSION.slice(1)}, without webhooks`,
  install: async (folder) => {
    const program = join(folder, 'kueue');
    const source = await copyModule(`${MODULE}@${VERSION}`, folder);
    await editFile(join(source, 'cmd/kueue/main.go'), (text) =>
      text.replace(CERTIFICATES, 'os.Getenv("METRICS_CERTIFICATES")'),
    );
    await buildCopy(source, './cmd/kueue', program);
    const definitions = join(source, 'config/components/crd/bases');
    const names = await readdir(definitions);
    return attempt(
      program,
      names.map((name) => join(definitions, name)),
    );
  },
};

/** Said on every cluster without the cluster autoscaler. */
const NO_AUTOSCALER = 'Provisioning Requests not supported';
const GROUP = 'kueue.x-k8s.io/v1beta2';
const QUEUES = `/apis/${GROUP}`;
const JOBS = '/apis/batch/v1/namespaces/default/jobs';
const PATIENCE = 60_000;

interface JobState {
  readonly spec: { readonly suspend?: boolean };
}

function attempt(program: string, definitions: readonly string[]): Attempt {
  return async ({ kubeconfig, home, http }, tell) => {
    await createDefinitions(http, definitions);
    await http.post('/api/v1/namespaces', { metadata: { name: 'kueue-system' } });
    const running = await start(program, { home, kubeconfig });
    const suspended = async (name: string) =>
      ((await http.get(`${JOBS}/${name}`)).body as unknown as JobState).spec.suspend;
    const starts = (name: string) =>
      eventually(`${name} starts`, async () => (await suspended(name)) === false, PATIENCE);
    const steps: Readonly<Record<string, () => Promise<void>>> = {
      'an active queue': async () => {
        await createQueues(http);
        await untilTrue(http, `${QUEUES}/clusterqueues/all`, 'Active');
        await untilTrue(http, `${QUEUES}/namespaces/default/localqueues/team`, 'Active');
      },
      'starts a Job within the quota': async () => {
        await http.post(JOBS, job('first', '3'));
        await starts('first');
        const { items } = await http.get(`${QUEUES}/namespaces/default/workloads`);
        equal(items.length, 1);
      },
      'a Job beyond the quota waits': async () => {
        await http.post(JOBS, job('second', '3'));
        await eventually(
          'the ClusterQueue counts it as pending',
          async () => (await statusOf(http)).pendingWorkloads === 1,
          PATIENCE,
        );
        equal(await suspended('second'), true);
      },
      'starts it after the first': async () => {
        await finish(http, 'first');
        await starts('second');
        await eventually(
          'the ClusterQueue has one admitted workload',
          async () => (await statusOf(http)).admittedWorkloads === 1,
          PATIENCE,
        );
      },
      'a deleted Job leaves no Workload': async () => {
        await http.delete(`${JOBS}/second?propagationPolicy=Background`);
        await eventually(
          'the ClusterQueue is empty',
          async () => (await statusOf(http)).admittedWorkloads === 0,
          PATIENCE,
        );
      },
      'logs no error': async () => {
        expectNoFault([running], (line) => line.includes('"level":"error"') && !line.includes(NO_AUTOSCALER));
      },
    };
    try {
      await trySteps(steps, tell);
    } finally {
      await running.stop();
    }
  };
}

async function start(
  program: string,
  { home, kubeconfig }: { readonly home: string; readonly kubeconfig: string },
): Promise<Background> {
  const certificates = join(home, 'certificates');
  await mkdir(certificates);
  const { certificate, key } = await openTls(undefined, Date.now());
  await writeFile(join(certificates, 'tls.crt'), certificate);
  await writeFile(join(certificates, 'tls.key'), key);
  const config = join(home, 'kueue.yaml');
  const settings = {
    apiVersion: 'config.kueue.x-k8s.io/v1beta2',
    kind: 'Configuration',
    health: { healthProbeBindAddress: `127.0.0.1:${await freePort()}` },
    metrics: { bindAddress: `127.0.0.1:${await freePort()}` },
    webhook: { port: await freePort(), certDir: certificates },
    leaderElection: { leaderElect: true, resourceName: 'kueue', resourceNamespace: 'kueue-system' },
    internalCertManagement: { enable: false },
    integrations: { frameworks: ['batch/job'] },
    featureGates: { VisibilityOnDemand: false },
  };
  await writeFile(config, stringify(settings));
  return runInBackground(program, [`--config=${config}`], {
    HOME: home,
    KUBECONFIG: kubeconfig,
    METRICS_CERTIFICATES: certificates,
  });
}

async function createQueues(http: HttpClient): Promise<void> {
  const create = (path: string, kind: string, name: string, spec: object) =>
    http.post(`${QUEUES}/${path}`, { apiVersion: GROUP, kind, metadata: { name }, spec });
  await create('resourceflavors', 'ResourceFlavor', 'any', {});
  await create('clusterqueues', 'ClusterQueue', 'all', {
    namespaceSelector: {},
    resourceGroups: [
      {
        coveredResources: ['cpu'],
        flavors: [{ name: 'any', resources: [{ name: 'cpu', nominalQuota: '4' }] }],
      },
    ],
  });
  await create('namespaces/default/localqueues', 'LocalQueue', 'team', { clusterQueue: 'all' });
}

/** A Job in the queue. Kueue's webhook would suspend it. */
const job = (name: string, cpu: string) => ({
  metadata: { name, labels: { 'kueue.x-k8s.io/queue-name': 'team' } },
  spec: {
    suspend: true,
    template: {
      spec: {
        restartPolicy: 'Never',
        containers: [{ name: 'c', image: 'i', resources: { requests: { cpu } } }],
      },
    },
  },
});

/** Does what the controller of Jobs would do. */
async function finish(http: HttpClient, name: string): Promise<void> {
  const now = new Date().toISOString();
  const held = { status: 'True', lastProbeTime: now, lastTransitionTime: now };
  await http.merge(`${JOBS}/${name}/status`, {
    status: {
      startTime: now,
      completionTime: now,
      succeeded: 1,
      conditions: [
        { type: 'SuccessCriteriaMet', ...held },
        { type: 'Complete', ...held },
      ],
    },
  });
}

interface QueueStatus {
  readonly pendingWorkloads?: number;
  readonly admittedWorkloads?: number;
}

async function statusOf(http: HttpClient): Promise<QueueStatus> {
  return ((await http.get(`${QUEUES}/clusterqueues/all`)).body.status ?? {}) as QueueStatus;
}
