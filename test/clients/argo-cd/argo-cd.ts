import { equal } from 'node:assert/strict';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { eventually } from '../../support/eventually.ts';
import type { HttpClient } from '../../support/service/http-client.ts';
import { type Background, expectNoFault, freePort, runInBackground } from '../background.ts';
import type { Attempt, Client } from '../client.ts';
import { execute } from '../execute.ts';
import { buildInModule } from '../go-module.ts';
import { createDefinitions, untilGone } from '../objects.ts';
import { trySteps } from '../outcome-of.ts';

/** The newest release whose archive has all packages and compiles. */
const VERSION = 'v3.2.11';
const MODULE = 'github.com/argoproj/argo-cd/v3';

/** Argo CD's application controller and repository server, built from its Go module with a main package of ours. */
export const argoCd: Client = {
  name: 'argo-cd',
  title: `Argo CD ${VERSION.slice(1)}, application controller`,
  install: async (folder) => {
    await execute('git', ['version']);
    const program = join(folder, 'argo-cd');
    const main = join(import.meta.dirname, 'main.go');
    const source = await buildInModule(`${MODULE}@${VERSION}`, main, { folder, program });
    const crds = join(source, 'manifests/crds');
    const names = (await readdir(crds)).filter((name) => name.endsWith('-crd.yaml'));
    return attempt(
      program,
      names.map((name) => join(crds, name)),
    );
  },
};

const OWN = '/api/v1/namespaces/argocd';
const APPLICATION = '/apis/argoproj.io/v1alpha1/namespaces/argocd/applications/app';
const MAPS = '/api/v1/namespaces/shop/configmaps';
const DEPLOYMENT = '/apis/apps/v1/namespaces/shop/deployments/web';
const PATIENCE = 60_000;

interface Status {
  readonly sync?: { readonly status: string };
  readonly health?: { readonly status: string };
}

function attempt(program: string, definitions: readonly string[]): Attempt {
  return async ({ kubeconfig, home, http }, tell) => {
    await createDefinitions(http, definitions);
    const repository = await createRepository(join(home, 'repository'));
    await createSettings(http);
    const running = await start(program, { HOME: home, KUBECONFIG: kubeconfig });
    const status = async () => ((await http.get(APPLICATION)).body.status ?? {}) as Status;
    const colour = async (name: string) => {
      const { body } = await http.send('GET', `${MAPS}/${name}`);
      return (body.data as { colour?: string } | undefined)?.colour;
    };
    const becomes = (name: string, wanted: string) =>
      eventually(`${name} is ${wanted}`, async () => (await colour(name)) === wanted, PATIENCE);
    const steps: Readonly<Record<string, () => Promise<void>>> = {
      'sync of a Git repository': async () => {
        await repository.commit([configMap('one', 'blue'), configMap('two', 'blue'), DEPLOYED]);
        await createApplication(http, repository.url);
        await becomes('one', 'blue');
        await becomes('two', 'blue');
        await eventually('it is synced', async () => (await status()).sync?.status === 'Synced', PATIENCE);
      },
      'health of a Deployment': async () => {
        equal((await status()).health?.status, 'Progressing');
        const ready = { observedGeneration: 1, replicas: 1, readyReplicas: 1, availableReplicas: 1 };
        await http.merge(`${DEPLOYMENT}/status`, { status: { ...ready, updatedReplicas: 1 } });
        await eventually('healthy', async () => (await status()).health?.status === 'Healthy', PATIENCE);
      },
      'takes back a change by hand': async () => {
        await http.merge(`${MAPS}/one`, { data: { colour: 'red' } });
        await becomes('one', 'blue');
      },
      'creates a deleted object again': async () => {
        await http.delete(`${MAPS}/two`);
        await becomes('two', 'blue');
      },
      'a new commit, with pruning': async () => {
        await repository.commit([configMap('one', 'green'), DEPLOYED]);
        await http.merge(APPLICATION, { metadata: { annotations: { [REFRESH]: 'normal' } } });
        await becomes('one', 'green');
        await untilGone(http, `${MAPS}/two`);
      },
      'cascading deletion': async () => {
        await http.delete(APPLICATION);
        await untilGone(http, `${MAPS}/one`);
        await untilGone(http, DEPLOYMENT);
        await untilGone(http, APPLICATION);
      },
      'logs no error': async () => {
        expectNoFault(running, (line) => /"level":"(error|fatal)"|level=(error|fatal)/.test(line));
      },
    };
    try {
      await trySteps(steps, tell);
    } finally {
      for (const one of running) await one.stop();
    }
  };
}

/** Starts Redis, the repository server and the controller. */
async function start(program: string, environment: Record<string, string>): Promise<readonly Background[]> {
  const redis = `127.0.0.1:${await freePort()}`;
  const port = await freePort();
  const address = '--address=127.0.0.1';
  const metrics = async () => `--metrics-port=${await freePort()}`;
  return [
    runInBackground(program, ['redis', redis]),
    runInBackground(
      program,
      ['argocd-repo-server', `--redis=${redis}`, address, `--port=${port}`, await metrics(), '--disable-tls'],
      { ...environment, ARGOCD_GPG_ENABLED: 'false' },
    ),
    runInBackground(
      program,
      [
        ...['argocd-application-controller', '--namespace=argocd', `--redis=${redis}`, await metrics()],
        ...[`--repo-server=127.0.0.1:${port}`, '--repo-server-plaintext'],
      ],
      environment,
    ),
  ];
}

const AUTHOR = ['-c', 'user.name=test', '-c', 'user.email=test@example.org'];

/** Makes an empty Git repository. */
async function createRepository(directory: string) {
  await mkdir(join(directory, 'app'), { recursive: true });
  const git = (...args: readonly string[]) => execute('git', args, { directory });
  await git('init', '--quiet', '--initial-branch=main');
  return {
    url: `file://${directory}`,
    /** Replaces all its files by these objects. */
    commit: async (objects: readonly { readonly metadata: { readonly name: string } }[]) => {
      await rm(join(directory, 'app'), { recursive: true });
      await mkdir(join(directory, 'app'));
      for (const object of objects) {
        await writeFile(join(directory, 'app', `${object.metadata.name}.yaml`), stringify(object));
      }
      await git('add', '--all');
      await git(...AUTHOR, 'commit', '--quiet', '--message=change');
    },
  };
}

/** Creates what the installation of Argo CD has besides its programs, and Winnow as the cluster `winnow`. */
async function createSettings(http: HttpClient): Promise<void> {
  await http.post('/api/v1/namespaces', { metadata: { name: 'argocd' } });
  const labels = { 'app.kubernetes.io/part-of': 'argocd' };
  await http.post(`${OWN}/configmaps`, { metadata: { name: 'argocd-cm', labels } });
  await http.post(`${OWN}/secrets`, {
    metadata: { name: 'argocd-secret', labels },
    stringData: { 'server.secretkey': 'word' },
  });
  await http.post(`${OWN}/secrets`, {
    metadata: { name: 'winnow', labels: { 'argocd.argoproj.io/secret-type': 'cluster' } },
    stringData: { name: 'winnow', server: http.url, config: '{}' },
  });
  await http.post('/apis/argoproj.io/v1alpha1/namespaces/argocd/appprojects', {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'default' },
    spec: {
      sourceRepos: ['*'],
      destinations: [{ namespace: '*', server: '*' }],
      clusterResourceWhitelist: [{ group: '*', kind: '*' }],
    },
  });
}

const REFRESH = 'argocd.argoproj.io/refresh';

async function createApplication(http: HttpClient, repoURL: string): Promise<void> {
  await http.post('/apis/argoproj.io/v1alpha1/namespaces/argocd/applications', {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'app', finalizers: ['resources-finalizer.argocd.argoproj.io'] },
    spec: {
      project: 'default',
      source: { repoURL, path: 'app', targetRevision: 'main' },
      destination: { name: 'winnow', namespace: 'shop' },
      syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
    },
  });
}

const configMap = (name: string, colour: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { colour },
});

const DEPLOYED = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'c', image: 'nginx:1' }] },
    },
  },
};
