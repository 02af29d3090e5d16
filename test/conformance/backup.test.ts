import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Terminal } from './harness/terminal.ts';

const WINNOW = join(import.meta.dirname, '../../bin/winnow.js');
const FLEET = `'${JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'fleets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'fleets', kind: 'Fleet' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
})}'`;
const ONE = `'${JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Fleet', metadata: { name: 'one' }, spec: { ships: 3 } })}'`;

let cluster: Cluster;
let terminal: Terminal;

beforeAll(async () => {
  cluster = await startCluster();
  terminal = cluster.terminal;
});

afterAll(() => cluster?.stop());

it('winnow export --plain writes a file that kubectl applies', async () => {
  await terminal.run(`echo ${FLEET} | kubectl apply -f -`);
  await terminal.run(`echo ${ONE} | kubectl apply -n default -f -`);
  await terminal.run('kubectl create configmap colors --from-literal=sky=blue');
  await terminal.run('kubectl create service clusterip front --tcp=80');
  const { url } = cluster.service.winnow;
  await terminal.run(`${process.execPath} ${WINNOW} export --plain --url ${url} "$HOME/all.json"`);
  await terminal.run('kubectl delete configmap/colors service/front crd/fleets.example.com');
  // kubectl looks up all kinds before it creates anything, unless it has cached them. So the first apply may fail.
  await terminal.either('kubectl apply -f "$HOME/all.json"');
  await terminal.run('kubectl apply -f "$HOME/all.json"');
  expect(await terminal.run("kubectl get configmap/colors -o jsonpath='{.data.sky}'")).toBe('blue');
  expect(await terminal.run("kubectl get service/front -o jsonpath='{.spec.ports[0].port}'")).toBe('80');
  expect(await terminal.run("kubectl get fleets/one -o jsonpath='{.spec.ships}'")).toBe('3');
});
