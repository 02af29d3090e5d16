import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Terminal } from './harness/terminal.ts';

const FIRST = '-f conformance/manifests/settings.yaml';
const LATER = '-f conformance/manifests/settings-later.yaml';
const APPLY = 'kubectl apply --server-side';
const TEAM = 'conformance/manifests/team.yaml';

let cluster: Cluster;
let terminal: Terminal;

beforeAll(async () => {
  cluster = await startCluster();
  terminal = cluster.terminal;
});

afterAll(() => cluster?.stop());

const data = () => terminal.run('kubectl get configmap settings -o jsonpath={.data}');
const version = () => terminal.run('kubectl get configmap settings -o jsonpath={.metadata.resourceVersion}');

describe('kubectl apply --server-side', () => {
  it('creates an object, and writes nothing the second time', async () => {
    expect(await terminal.run(`${APPLY} ${FIRST}`)).toBe('configmap/settings serverside-applied');
    const before = await version();
    expect(await terminal.run(`${APPLY} ${FIRST}`)).toBe('configmap/settings serverside-applied');
    expect(await version()).toBe(before);
  });

  it('shows with kubectl diff what it would change, and changes nothing', async () => {
    const { output } = await terminal.either(`kubectl diff --server-side ${LATER}`);
    expect(output).toMatch(/^-\s+color: blue$/m);
    expect(output).toMatch(/^\+\s+color: red$/m);
    expect(JSON.parse(await data())).toEqual({ color: 'blue', size: 'small' });
  });

  it('is refused if another manager owns a field, until --force-conflicts is set', async () => {
    const second = `${APPLY} --field-manager second ${LATER}`;
    expect(await terminal.refused(second)).toContain('conflict with "kubectl": .data.color');
    await terminal.run(`${second} --force-conflicts`);
    expect(JSON.parse(await data())).toEqual({ color: 'red', size: 'small' });
    expect(await terminal.refused(`${APPLY} ${FIRST}`)).toContain('conflict with "second": .data.color');
  });

  it('removes fields that its manager no longer applies', async () => {
    await terminal.run(`${APPLY} ${LATER}`);
    expect(JSON.parse(await data())).toEqual({ color: 'red' });
  });

  it('takes over an object of client-side apply', async () => {
    await terminal.run(`kubectl apply -f ${TEAM}`);
    expect(await terminal.lines(`${APPLY} -f ${TEAM}`)).toContain('deployment.apps/web serverside-applied');
    const managers = '{.metadata.managedFields[*].manager}';
    const deployment = `kubectl get deployment web -n team --show-managed-fields -o jsonpath=${managers}`;
    expect((await terminal.run(deployment)).split(' ').sort()).toEqual(['kubectl', 'kubectl-last-applied']);
  });
});
