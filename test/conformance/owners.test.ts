import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Terminal } from './harness/terminal.ts';

let cluster: Cluster;
let terminal: Terminal;

beforeAll(async () => {
  cluster = await startCluster();
  terminal = cluster.terminal;
});

afterAll(() => cluster?.stop());

const configMaps = () => terminal.lines('kubectl get configmaps -o name');
const uidOf = (name: string) => terminal.run(`kubectl get configmap ${name} -o jsonpath={.metadata.uid}`);
const ownersOf = (name: string) =>
  terminal.run(`kubectl get configmap ${name} -o jsonpath={.metadata.ownerReferences}`);

async function own(name: string, owner: string): Promise<void> {
  await terminal.run(`kubectl create configmap ${name}`);
  const reference = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: owner,
    uid: await uidOf(owner),
    blockOwnerDeletion: true,
  };
  const patch = JSON.stringify({ metadata: { ownerReferences: [reference] } });
  await terminal.run(`kubectl patch configmap ${name} -p '${patch}'`);
}

/** `top` owns `middle`, which owns `bottom`. */
async function makeChain(): Promise<void> {
  await terminal.run('kubectl create configmap top');
  await own('middle', 'top');
  await own('bottom', 'middle');
}

const gone = (name: string) => terminal.run(`kubectl wait --for=delete configmap/${name} --timeout=60s`);

describe('kubectl delete, for an owner', () => {
  beforeEach(makeChain);

  it('deletes an owner at once by default, and its dependents after it', async () => {
    await terminal.run('kubectl delete configmap top');
    expect(await configMaps()).not.toContain('configmap/top');
    await gone('middle');
    await gone('bottom');
    expect(await configMaps()).toEqual([]);
  });

  it('returns from a foreground deletion when all dependents are gone', async () => {
    await terminal.run('kubectl delete configmap top --cascade=foreground');
    expect(await configMaps()).toEqual([]);
  });

  it('waits in a foreground deletion for a dependent that a finalizer keeps', async () => {
    await terminal.run(
      `kubectl patch configmap bottom -p '{"metadata":{"finalizers":["example.com/hold"]}}'`,
    );
    await terminal.run('kubectl delete configmap middle --cascade=foreground --wait=false');
    await terminal.run(
      `kubectl wait --for=jsonpath='{.metadata.deletionTimestamp}' configmap/bottom --timeout=60s`,
    );
    expect(await terminal.run('kubectl get configmap middle -o jsonpath={.metadata.finalizers}')).toBe(
      '["foregroundDeletion"]',
    );
    await terminal.run(`kubectl patch configmap bottom -p '{"metadata":{"finalizers":null}}'`);
    await terminal.run('kubectl delete configmap middle --cascade=background --wait=false');
    await gone('middle');
    await gone('bottom');
    await terminal.run('kubectl delete configmap top');
  });

  it('orphans dependents with --cascade=orphan: they stay, without the owner reference', async () => {
    await terminal.run('kubectl delete configmap top --cascade=orphan');
    expect(await configMaps()).toEqual(['configmap/bottom', 'configmap/middle']);
    expect(await ownersOf('middle')).toBe('');
    expect(await ownersOf('bottom')).toContain('"name":"middle"');
    await terminal.run('kubectl delete configmap middle --cascade=foreground');
    expect(await configMaps()).toEqual([]);
  });
});
