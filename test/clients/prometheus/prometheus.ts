import { deepEqual } from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { eventually } from '../../support/eventually.ts';
import type { HttpClient } from '../../support/service/http-client.ts';
import { expectNoFault, freePort, runInBackground } from '../background.ts';
import type { Attempt, Client } from '../client.ts';
import { execute } from '../execute.ts';
import { downloadModule } from '../go-module.ts';
import { trySteps } from '../outcome-of.ts';

const MODULE = 'github.com/prometheus/prometheus';
/** v3.16.0: Prometheus numbers its Go module in another way. */
const VERSION = 'v0.316.0';

/** Prometheus with its service discovery of Kubernetes, built from its Go module. */
export const prometheus: Client = {
  name: 'prometheus',
  title: `Prometheus 3.${Number(VERSION.split('.')[1]) - 300}.0, kubernetes_sd`,
  install: async (folder) => {
    const source = await downloadModule(`${MODULE}@${VERSION}`, folder);
    const program = join(folder, 'prometheus');
    const tags = 'remove_all_sd,enable_kubernetes_sd';
    await execute(
      'go',
      ['build', '-C', source, '-ldflags=-s -w', '-tags', tags, '-o', program, './cmd/prometheus'],
      {
        // Its workspace names modules that the module's archive lacks.
        environment: { GOWORK: 'off' },
      },
    );
    return attempt(program);
  },
};

const ROLES = ['node', 'pod', 'service', 'endpoints', 'endpointslice', 'ingress'] as const;
const BY_SELECTOR = 'pod by selector';
const CORE = '/api/v1/namespaces/default';

type Labels = Readonly<Record<string, string>>;

function attempt(program: string): Attempt {
  return async ({ kubeconfig, home, http }, tell) => {
    await makeObjects(http);
    const file = join(home, 'prometheus.yml');
    const port = await freePort();
    await writeFile(file, stringify({ scrape_configs: jobsOf(kubeconfig) }));
    const running = runInBackground(program, [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(home, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]);
    /** The labels of a job's targets, before relabelling. */
    const targets = async (job: string): Promise<readonly Labels[]> => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/targets?state=active`).catch(
        () => undefined,
      );
      if (answer === undefined || !answer.ok) return [];
      const { data } = (await answer.json()) as {
        data: { activeTargets: { scrapePool: string; discoveredLabels: Labels }[] };
      };
      return data.activeTargets
        .filter(({ scrapePool }) => scrapePool === job)
        .map(({ discoveredLabels }) => discoveredLabels);
    };
    const namesOf = async (job: string, label: string) =>
      [...new Set((await targets(job)).map((labels) => labels[label] ?? ''))].sort();
    const becomes = (job: string, label: string, names: readonly string[]) =>
      eventually(`${job} has the targets ${names}`, async () => {
        const found = await namesOf(job, label);
        return found.join() === names.join() || undefined;
      });
    const steps: Readonly<Record<string, () => Promise<void>>> = {
      'discovers nodes': async () => {
        await becomes('node', '__meta_kubernetes_node_name', ['n1']);
      },
      'discovers pods, with labels and ports': async () => {
        await becomes('pod', '__meta_kubernetes_pod_name', ['web-1', 'web-2']);
        const [first] = await targets('pod');
        deepEqual(first?.__meta_kubernetes_pod_label_app, 'web');
        deepEqual(first?.__meta_kubernetes_pod_container_port_number, '8080');
      },
      'discovers services, endpoints, endpoint slices and ingresses': async () => {
        await becomes('service', '__meta_kubernetes_service_name', ['web']);
        await becomes('endpoints', '__meta_kubernetes_pod_name', ['web-1']);
        await becomes('endpointslice', '__meta_kubernetes_pod_name', ['web-1']);
        await becomes('ingress', '__meta_kubernetes_ingress_name', ['web']);
      },
      'a label selector: a pod that leaves it is no target any more': async () => {
        await becomes(BY_SELECTOR, '__meta_kubernetes_pod_name', ['web-2']);
        await label(http, 'web-1', 'canary');
        await becomes(BY_SELECTOR, '__meta_kubernetes_pod_name', ['web-1', 'web-2']);
        await label(http, 'web-2', 'stable');
        await becomes(BY_SELECTOR, '__meta_kubernetes_pod_name', ['web-1']);
      },
      'a deleted pod is no target any more': async () => {
        await http.delete(`${CORE}/pods/web-2`);
        await becomes('pod', '__meta_kubernetes_pod_name', ['web-1']);
      },
      'logs no error': async () => {
        expectNoFault([running], (line) => /level=(ERROR|WARN)/.test(line));
      },
    };
    try {
      await trySteps(steps, tell);
    } finally {
      await running.stop();
    }
  };
}

function jobsOf(kubeconfig: string): readonly object[] {
  const job = (name: string, discovery: object) => ({
    job_name: name,
    kubernetes_sd_configs: [{ kubeconfig_file: kubeconfig, ...discovery }],
  });
  const selectors = [{ role: 'pod', label: 'track in (canary),app=web' }];
  return [...ROLES.map((role) => job(role, { role })), job(BY_SELECTOR, { role: 'pod', selectors })];
}

async function makeObjects(http: HttpClient): Promise<void> {
  const address = { type: 'InternalIP', address: '10.0.0.1' };
  await http.post('/api/v1/nodes', { metadata: { name: 'n1' }, status: { addresses: [address] } });
  for (const [at, track] of ['stable', 'canary'].entries()) {
    const name = `web-${at + 1}`;
    const containers = [{ name: 'c', image: 'i', ports: [{ name: 'http', containerPort: 8080 }] }];
    const labels = { app: 'web', track };
    await http.post(`${CORE}/pods`, { metadata: { name, labels }, spec: { containers, nodeName: 'n1' } });
    const status = {
      podIP: `10.1.0.${at + 1}`,
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
    };
    await http.merge(`${CORE}/pods/${name}/status`, { status });
  }
  const ports = [{ name: 'http', port: 80, targetPort: 8080 }];
  await http.post(`${CORE}/services`, {
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports },
  });
  const targetRef = { kind: 'Pod', name: 'web-1', namespace: 'default' };
  await http.post(`${CORE}/endpoints`, {
    metadata: { name: 'web' },
    subsets: [{ addresses: [{ ip: '10.1.0.1', targetRef }], ports: [{ name: 'http', port: 8080 }] }],
  });
  await http.post('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
    metadata: { name: 'web-1', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.0.1'], targetRef }],
    ports: [{ name: 'http', port: 8080 }],
  });
  const backend = { service: { name: 'web', port: { number: 80 } } };
  const rules = [{ host: 'web.example', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }];
  await http.post('/apis/networking.k8s.io/v1/namespaces/default/ingresses', {
    metadata: { name: 'web' },
    spec: { rules },
  });
}

async function label(http: HttpClient, name: string, track: string): Promise<void> {
  await http.merge(`${CORE}/pods/${name}`, { metadata: { labels: { track } } });
}
