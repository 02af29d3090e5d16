import { equal, match } from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { openTls } from '../../../infra/local/trust/index.ts';
import { eventually } from '../../support/eventually.ts';
import type { HttpClient } from '../../support/service/http-client.ts';
import { type Background, expectNoFault, freePort, runInBackground } from '../background.ts';
import type { Attempt, Client, Server } from '../client.ts';
import { buildCopy, copyModule, editFile } from '../go-module.ts';
import { kubectlTerminal, refusedByWebhook, requireKubectl } from '../kubectl.ts';
import { createDefinitions, untilTrue } from '../objects.ts';
import { trySteps } from '../outcome-of.ts';
import { registerWebhooks } from './register-webhooks.ts';

const VERSION = 'v0.17.0';
const MODULE = 'sigs.k8s.io/kueue';
/** The folder of certificates that only root may make. */
const CERTIFICATES = '"/etc/kueue/metrics/certs"';

/** Kueue's controller with its admission webhooks, built from its Go module. Its conversion webhook is left out. */
export const kueue: Client = {
  name: 'kueue',
  title: `Kueue ${VERSION.slice(1)}`,
  service: { newestSchema: true, webhooks: 'services' },
  install: async (folder) => {
    await requireKubectl();
    const program = join(folder, 'kueue');
    const source = await copyModule(`${MODULE}@${VERSION}`, folder);
    await editFile(join(source, 'cmd/kueue/main.go'), (text) =>
      text.replace(CERTIFICATES, 'os.Getenv("METRICS_CERTIFICATES")'),
    );
    await buildCopy(source, './cmd/kueue', program);
    const definitions = join(source, 'config/components/crd/bases');
    const names = await readdir(definitions);
    return attempt({
      program,
      definitions: names.map((name) => join(definitions, name)),
      webhooks: join(source, 'config/components/webhook/manifests.yaml'),
    });
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

interface Installed {
  readonly program: string;
  /** The files of its custom kinds. */
  readonly definitions: readonly string[];
  /** The file of its webhook configurations. */
  readonly webhooks: string;
}

function attempt({ program, definitions, webhooks }: Installed): Attempt {
  return async (server, tell) => {
    const { http } = server;
    const terminal = kubectlTerminal(server);
    await createDefinitions(http, definitions);
    await http.post('/api/v1/namespaces', { metadata: { name: 'kueue-system' } });
    const { running, port, authority } = await start(program, server);
    await registerWebhooks(http, { file: webhooks, port, authority });
    const suspended = async (name: string) =>
      ((await http.get(`${JOBS}/${name}`)).body as unknown as JobState).spec.suspend;
    const starts = (name: string) =>
      eventually(`${name} starts`, async () => (await suspended(name)) === false, PATIENCE);
    const steps: Readonly<Record<string, () => Promise<void>>> = {
      'its webhook refuses an invalid ClusterQueue': async () => {
        const file = join(server.home, 'invalid.yaml');
        const spec = { namespaceSelector: {}, resourceGroups: [cpuOf('any'), cpuOf('other')] };
        await writeFile(
          file,
          stringify({ apiVersion: GROUP, kind: 'ClusterQueue', metadata: { name: 'bad' }, spec }),
        );
        const refusal = await refusedByWebhook(terminal, `kubectl create -f ${file}`);
        match(
          refusal,
          /admission webhook "vclusterqueue\.kb\.io" denied the request: .*Duplicate value: "cpu"/,
        );
      },
      'an active queue': async () => {
        await createQueues(http);
        await untilTrue(http, `${QUEUES}/clusterqueues/all`, 'Active');
        await untilTrue(http, `${QUEUES}/namespaces/default/localqueues/team`, 'Active');
      },
      'starts a Job within the quota': async () => {
        const { body } = await http.post(JOBS, job('first', '3'));
        equal((body as unknown as JobState).spec.suspend, true);
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
      'its webhook lets no Job that runs leave its queue': async () => {
        const change = 'kubectl label job second kueue.x-k8s.io/queue-name=other --overwrite';
        match(await terminal.refused(change), /admission webhook "vjob\.kb\.io" denied the request/);
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
      terminal.close();
      await running.stop();
    }
  };
}

/** The running controller, and the port and authority of its webhooks. */
interface Started {
  readonly running: Background;
  readonly port: number;
  readonly authority: string;
}

async function start(program: string, { home, kubeconfig }: Server): Promise<Started> {
  const certificates = join(home, 'certificates');
  await mkdir(certificates);
  const { certificate, key, authority } = await openTls(undefined, Date.now());
  await writeFile(join(certificates, 'tls.crt'), certificate);
  await writeFile(join(certificates, 'tls.key'), key);
  const config = join(home, 'kueue.yaml');
  const port = await freePort();
  const settings = {
    apiVersion: 'config.kueue.x-k8s.io/v1beta2',
    kind: 'Configuration',
    health: { healthProbeBindAddress: `127.0.0.1:${await freePort()}` },
    metrics: { bindAddress: `127.0.0.1:${await freePort()}` },
    webhook: { port, certDir: certificates },
    leaderElection: { leaderElect: true, resourceName: 'kueue', resourceNamespace: 'kueue-system' },
    internalCertManagement: { enable: false },
    integrations: { frameworks: ['batch/job'] },
    featureGates: { VisibilityOnDemand: false },
  };
  await writeFile(config, stringify(settings));
  const running = runInBackground(program, [`--config=${config}`], {
    HOME: home,
    KUBECONFIG: kubeconfig,
    METRICS_CERTIFICATES: certificates,
  });
  return { running, port, authority };
}

/** A group of a ClusterQueue: 4 CPUs of a flavor. */
const cpuOf = (flavor: string) => ({
  coveredResources: ['cpu'],
  flavors: [{ name: flavor, resources: [{ name: 'cpu', nominalQuota: '4' }] }],
});

async function createQueues(http: HttpClient): Promise<void> {
  const create = (path: string, kind: string, name: string, spec: object) =>
    http.post(`${QUEUES}/${path}`, { apiVersion: GROUP, kind, metadata: { name }, spec });
  await create('resourceflavors', 'ResourceFlavor', 'any', {});
  await create('clusterqueues', 'ClusterQueue', 'all', {
    namespaceSelector: {},
    resourceGroups: [cpuOf('any')],
  });
  await create('namespaces/default/localqueues', 'LocalQueue', 'team', { clusterQueue: 'all' });
}

/** A Job in the queue. Kueue's webhook suspends it. */
const job = (name: string, cpu: string) => ({
  metadata: { name, labels: { 'kueue.x-k8s.io/queue-name': 'team' } },
  spec: {
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
