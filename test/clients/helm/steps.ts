import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { eventually } from '../../support/eventually.ts';
import type { HttpClient } from '../../support/service/http-client.ts';
import type { Step } from '../steps.ts';

const CHART = 'helm/chart';
const CORE = '/api/v1/namespaces/default';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

/** What a user does with Helm: a release from its first to its last day. */
export const STEPS: Readonly<Record<string, Step>> = {
  install: async (terminal, { http }) => {
    match(await terminal.run(`helm install web ${CHART} --set replicas=2`), /web is blue in revision 1\./);
    const { spec, metadata } = (await http.get(`${DEPLOYMENTS}/web`)).body;
    equal((spec as { replicas: number }).replicas, 2);
    equal(metadata.labels['app.kubernetes.io/managed-by'], 'Helm');
  },
  'refuses to install again': async (terminal) => {
    match(await terminal.refused(`helm install web ${CHART}`), /cannot re-?use a name that is still in use/);
  },
  'list, status, get': async (terminal) => {
    const [release] = JSON.parse(await terminal.run('helm list --output json'));
    deepEqual([release.name, release.status, release.chart], ['web', 'deployed', 'shop-1.0.0']);
    match(await terminal.run('helm status web'), /^STATUS: deployed$/m);
    match(await terminal.run('helm get values web'), /^replicas: 2$/m);
    match(await terminal.run('helm get manifest web'), /^kind: PodDisruptionBudget$/m);
    match(await terminal.run('helm get hooks web'), /^kind: ConfigMap$/m);
    deepEqual(JSON.parse(await terminal.run('helm list --all-namespaces --filter absent --output json')), []);
  },
  upgrade: async (terminal, { http }) => {
    const before = await password(http);
    await terminal.run(`helm upgrade web ${CHART} --set replicas=3,colour=red`);
    deepEqual(await look(http), { colour: 'red', replicas: 3 });
    equal(await password(http), before);
  },
  'upgrade removes objects that the chart no longer has': async (terminal, { http }) => {
    await terminal.run(`helm upgrade web ${CHART} --set workload=false`);
    deepEqual(await http.names(DEPLOYMENTS), []);
  },
  'rollback, history': async (terminal, { http }) => {
    await terminal.run('helm rollback web 2');
    deepEqual(await look(http), { colour: 'red', replicas: 3 });
    await terminal.run('helm rollback web 1');
    deepEqual(await look(http), { colour: 'blue', replicas: 2 });
    const revisions = JSON.parse(await terminal.run('helm history web --output json')) as {
      status: string;
    }[];
    deepEqual(
      revisions.map(({ status }) => status),
      ['superseded', 'superseded', 'superseded', 'superseded', 'deployed'],
    );
  },
  '--dry-run=server, template --validate': async (terminal, { http }) => {
    const version = await http.version(`${CORE}/configmaps`);
    match(
      await terminal.run(`helm upgrade web ${CHART} --dry-run=server --set colour=green`),
      /colour: "green"/,
    );
    await terminal.run(`helm template other ${CHART} --validate`);
    equal(await http.version(`${CORE}/configmaps`), version);
  },
  '--atomic removes a failed install': async (terminal, { http }) => {
    const complaint = await terminal.refused(
      `helm install sick ${CHART} --atomic --timeout 30s --set team=a/b`,
    );
    match(complaint, /Invalid value/);
    equal((await http.send('GET', `${CORE}/serviceaccounts/sick`)).status, 404);
    match(await terminal.refused('helm status sick'), /release: not found/);
  },
  '--atomic rolls back a failed upgrade': async (terminal, { http }) => {
    const calm = `helm upgrade --install calm ${CHART} --atomic --timeout 60s --set workload=false`;
    await terminal.run(`${calm},colour=green`);
    match(await terminal.refused(`${calm},colour=red,team=a/b`), /Invalid value/);
    deepEqual((await http.get(`${CORE}/configmaps/calm`)).body.data, { colour: 'green' });
    match(await terminal.run('helm status calm'), /^STATUS: deployed$/m);
    match(await terminal.run('helm history calm'), /Rollback to 1/);
  },
  '--wait until a controller says that it is ready': async (terminal, { http }) => {
    const waiting = terminal.start(`helm install late ${CHART} --wait --timeout 120s`);
    await eventually('the deployment', async () => {
      return (await http.send('GET', `${DEPLOYMENTS}/late`)).status === 200;
    });
    await makeReady(http, 'late');
    equal(await waiting.ended, 0, waiting.complaints.join('\n'));
  },
  'a chart of helm create': async (terminal, { home, http }) => {
    await terminal.run(`helm create ${home}/demo`);
    await terminal.run(`helm upgrade --install demo ${home}/demo`);
    await terminal.run(`helm upgrade --install demo ${home}/demo --set replicaCount=2`);
    equal(((await http.get(`${DEPLOYMENTS}/demo`)).body.spec as { replicas: number }).replicas, 2);
  },
  'another namespace, made on the way': async (terminal, { http }) => {
    await terminal.run(`helm install web ${CHART} --namespace shop --create-namespace`);
    deepEqual(await http.names('/apis/apps/v1/namespaces/shop/deployments'), ['web']);
    deepEqual(JSON.parse(await terminal.run('helm list -A --filter ^web$ --output json')).length, 2);
  },
  uninstall: async (terminal, { http }) => {
    for (const release of ['web', 'calm', 'late', 'demo', 'web -n shop']) {
      match(await terminal.run(`helm uninstall ${release}`), /uninstalled/);
    }
    equal(await terminal.run('helm list -A --short'), '');
    for (const path of [`${CORE}/secrets`, `${CORE}/services`, DEPLOYMENTS]) {
      deepEqual(await http.names(path), []);
    }
    // Hooks stay, as Helm's own documentation says.
    notEqual((await http.names(`${CORE}/configmaps`)).length, 0);
  },
};

/** What the controller of deployments would do: Helm 3 asks for the replica set, Helm 4 for the conditions. */
async function makeReady(http: HttpClient, name: string): Promise<void> {
  const { apiVersion, kind, metadata, spec } = (await http.get(`${DEPLOYMENTS}/${name}`)).body;
  const ready = { observedGeneration: 1, replicas: 1, readyReplicas: 1, availableReplicas: 1 };
  await http.post('/apis/apps/v1/namespaces/default/replicasets', {
    metadata: {
      name: `${name}-1`,
      labels: { app: 'shop' },
      ownerReferences: [{ apiVersion, kind, name, uid: metadata.uid, controller: true }],
    },
    spec,
  });
  await http.merge(`/apis/apps/v1/namespaces/default/replicasets/${name}-1/status`, { status: ready });
  await http.merge(`${DEPLOYMENTS}/${name}/status`, {
    status: {
      ...ready,
      updatedReplicas: 1,
      conditions: [
        { type: 'Available', status: 'True' },
        { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' },
      ],
    },
  });
}

async function password(http: HttpClient): Promise<unknown> {
  return ((await http.get(`${CORE}/secrets/web`)).body.data as { password: string }).password;
}

async function look(http: HttpClient) {
  const { data } = (await http.get(`${CORE}/configmaps/web`)).body as { data?: { colour: string } };
  const { spec } = (await http.get(`${DEPLOYMENTS}/web`)).body as { spec?: { replicas: number } };
  return { colour: data?.colour, replicas: spec?.replicas };
}
