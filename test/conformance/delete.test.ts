import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Terminal } from './harness/terminal.ts';

let cluster: Cluster;
let terminal: Terminal;

beforeAll(async () => {
  cluster = await startCluster();
  terminal = cluster.terminal;
  await terminal.run(
    'kubectl apply -f fixtures/pods.yaml -f fixtures/services.yaml -f conformance/manifests/team.yaml',
  );
});

afterAll(() => cluster?.stop());

/** The start of a line about a deletion; since 1.34 kubectl adds the namespace. */
const deleted = (type: string, ...names: string[]) =>
  names.map((name) => expect.stringMatching(new RegExp(`^${type} "${name}" deleted`)));

const pods = () => terminal.lines('kubectl get pods -o name');

describe('kubectl delete', () => {
  it('rehearses a deletion without writing anything', async () => {
    expect(await terminal.run('kubectl delete pod cuda-test --dry-run=server')).toContain(
      'deleted (server dry run)',
    );
    expect(await pods()).toContain('pod/cuda-test');
  });

  it('deletes one object', async () => {
    expect(await terminal.lines('kubectl delete pod cuda-test')).toEqual(deleted('pod', 'cuda-test'));
    expect(await terminal.refused('kubectl get pod cuda-test')).toBe(
      'Error from server (NotFound): pods "cuda-test" not found',
    );
  });

  it('refuses an object that does not exist, unless --ignore-not-found is set', async () => {
    expect(await terminal.refused('kubectl delete pod cuda-test')).toBe(
      'Error from server (NotFound): pods "cuda-test" not found',
    );
    expect(await terminal.run('kubectl delete pod cuda-test --ignore-not-found')).toBe('');
  });

  it('deletes the objects that a selector selects', async () => {
    expect(await terminal.lines(`kubectl delete pods -l 'tier=frontend,environment=production'`)).toEqual(
      deleted('pod', 'guestbook-frontend-1', 'guestbook-frontend-2'),
    );
    expect(await pods()).toHaveLength(6);
  });

  it('deletes the objects that a file names', async () => {
    expect(await terminal.lines('kubectl delete -f fixtures/services.yaml')).toEqual([
      ...deleted('service', 'redis', 'guestbook'),
      ...deleted('replicationcontroller', 'guestbook-stable'),
    ]);
  });

  it('deletes all objects with --all', async () => {
    expect(await terminal.lines('kubectl delete pods --all')).toHaveLength(6);
    expect(await pods()).toEqual([]);
  });

  it('waits for finalizers, as kubectl wait does', async () => {
    await terminal.run('kubectl run held --image=nginx');
    await terminal.run(`kubectl patch pod held -p '{"metadata":{"finalizers":["example.com/hold"]}}'`);
    const deleting = terminal.start('kubectl delete pod held');
    await deleting.until((output) => output.length > 0);
    expect(deleting.output).toEqual(deleted('pod', 'held'));
    expect((await terminal.table('kubectl get pod held'))[1]?.[2]).toBe('Terminating');
    const waiting = terminal.start('kubectl wait --for=delete pod/held --timeout=30s');
    await terminal.run(
      `kubectl patch pod held --type=json -p '[{"op":"remove","path":"/metadata/finalizers"}]'`,
    );
    expect(await waiting.ended).toBe(0);
    expect(await deleting.ended).toBe(0);
    expect(await pods()).toEqual([]);
  });
});

describe('kubectl delete namespace', () => {
  it('stops new objects at once, empties the namespace and removes it', async () => {
    expect(await terminal.lines('kubectl delete namespace team --wait=false')).toEqual(
      deleted('namespace', 'team'),
    );
    expect(await terminal.refused('kubectl run -n team late --image=nginx')).toBe(
      'Error from server (Forbidden): pods "late" is forbidden: unable to create new content in namespace team because it is being terminated',
    );
    expect(await terminal.run('kubectl wait --for=delete namespace/team --timeout=40s')).toMatch(
      /^(namespace\/team condition met)?$/,
    );
    expect(
      await terminal.lines('kubectl get deployments,services,pods,configmaps,secrets -n team -o name'),
    ).toEqual([]);
    expect(await terminal.lines('kubectl get namespaces -o name')).not.toContain('namespace/team');
  });

  it('waits until the namespace is gone, by default', async () => {
    await terminal.run('kubectl apply -f conformance/manifests/team.yaml');
    expect(await terminal.lines('kubectl delete namespace team')).toEqual(deleted('namespace', 'team'));
    expect(await terminal.refused('kubectl get namespace team')).toBe(
      'Error from server (NotFound): namespaces "team" not found',
    );
  });

  it('is refused for the namespace default', async () => {
    expect(await terminal.refused('kubectl delete namespace default')).toBe(
      'Error from server (Forbidden): namespaces "default" is forbidden: this namespace may not be deleted',
    );
  });
});
