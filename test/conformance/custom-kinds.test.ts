import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Terminal } from './harness/terminal.ts';

const EXAMPLES = '../examples';
const WRONG = `'{"apiVersion":"fleet.example/v1","kind":"Device","metadata":{"name":"x"},"spec":{"model":"x2","state":"lost"}}'`;
const UNKNOWN = `'{"apiVersion":"fleet.example/v1","kind":"Device","metadata":{"name":"x"},"spec":{"model":"x2","junk":1}}'`;

let cluster: Cluster;
let terminal: Terminal;

beforeAll(async () => {
  cluster = await startCluster();
  terminal = cluster.terminal;
});

afterAll(() => cluster?.stop());

describe('kubectl, with a custom kind', () => {
  it('defines a custom kind and creates its objects at once', async () => {
    await terminal.run(`kubectl apply -f ${EXAMPLES}/device-definition.yaml`);
    await terminal.run(`kubectl apply -f ${EXAMPLES}/devices.yaml`);
    const table = await terminal.run('kubectl get devices');
    expect(table.split('\n').map((line) => line.split(/\s+/))).toEqual([
      ['NAME', 'MODEL', 'STATE'],
      ['cam-1', 'x2', 'active'],
      ['cam-2', 'x2', 'retired'],
    ]);
  });

  it('selects custom objects by label and by field, under their short name', async () => {
    expect(await terminal.run('kubectl get dev -l site=north -o name')).toBe('device.fleet.example/cam-1');
    const retired = 'kubectl get dev --field-selector spec.state=retired -o name';
    expect(await terminal.run(retired)).toBe('device.fleet.example/cam-2');
  });

  it('is refused an object that the schema does not allow', async () => {
    const lost = await terminal.refused(`echo ${WRONG} | kubectl create -f -`);
    expect(lost).toContain('spec.state: Unsupported value: "lost": supported values: "active", "retired"');
    const junk = await terminal.refused(`echo ${UNKNOWN} | kubectl create -f -`);
    expect(junk).toContain('unknown field "spec.junk"');
  });

  it('explains the fields of a custom kind', async () => {
    const state = await terminal.run('kubectl explain device.spec.state');
    expect(state).toContain('FIELD: state <string>');
    expect(state).toContain('Whether it is in use.');
    expect(await terminal.run('kubectl api-resources --api-group fleet.example')).toContain('Device');
  });

  it('patches a custom object, and applies it as two managers', async () => {
    await terminal.run(`kubectl patch dev cam-1 --type merge -p '{"spec":{"model":"x3"}}'`);
    const conflict = await terminal.refused(`kubectl apply --server-side -f ${EXAMPLES}/devices.yaml`);
    expect(conflict).toContain('.spec.model');
    await terminal.run(`kubectl apply --server-side --force-conflicts -f ${EXAMPLES}/devices.yaml`);
    expect(await terminal.run('kubectl get dev cam-1 -o jsonpath={.spec.model}')).toBe('x2');
  });

  it('subscribes to a custom kind', async () => {
    await terminal.run(`kubectl apply -f ${EXAMPLES}/subscription.yaml`);
    await terminal.run('kubectl wait subscription/north --for jsonpath={.status.phase}=Synced --timeout 60s');
    expect(await terminal.run('kubectl get subscription north -o jsonpath={.status.queueUrl}')).toMatch(
      /^http/,
    );
  });

  it('deletes a custom kind with all its objects', async () => {
    await terminal.run('kubectl delete crd devices.fleet.example --timeout 60s');
    expect(await terminal.refused('kubectl get devices')).toMatch(
      /could not find|doesn't have a resource type/,
    );
  });
});

describe('kubectl, with a custom kind of several versions', () => {
  const OLD = `'{"apiVersion":"fleet.example/v1","kind":"Gauge","metadata":{"name":"g"},"spec":{"replicas":2}}'`;

  it('reads in one version an object that was written in the other', async () => {
    await terminal.run('kubectl apply -f conformance/manifests/gauges.yaml');
    await terminal.run(`echo ${OLD} | kubectl create -f -`);
    expect(await terminal.run('kubectl get gauges.v2.fleet.example g -o jsonpath={.spec.unit}')).toBe('bar');
    const old = 'kubectl get gauges.v1.fleet.example g -o jsonpath={.apiVersion}/{.spec.unit}';
    expect(await terminal.run(old)).toBe('fleet.example/v1/');
  });

  it('scales a custom object', async () => {
    await terminal.run('kubectl scale gauges.v2.fleet.example/g --replicas 5');
    expect(await terminal.run('kubectl get gauges.v2.fleet.example g -o jsonpath={.spec.replicas}')).toBe(
      '5',
    );
    const refused = 'kubectl scale gauges.v2.fleet.example/g --current-replicas 4 --replicas 6';
    expect(await terminal.refused(refused)).toContain('Expected replicas to be 4, was 5');
  });

  it('sees a watch end with its kind, and no old objects after a new definition with another scope', async () => {
    const watch = terminal.start('kubectl get gauges.v2.fleet.example -w -o name');
    await watch.until((output) => output.length > 0);
    await terminal.run('kubectl delete crd gauges.fleet.example --timeout 60s');
    await watch.ended;
    expect([...new Set(watch.output)]).toEqual(['gauge.fleet.example/g']);
    await terminal.run('kubectl apply -f conformance/manifests/gauges-again.yaml');
    // Otherwise kubectl uses its cached discovery.
    await terminal.run('kubectl api-resources --api-group fleet.example');
    expect(await terminal.run('kubectl get gauges -o name')).toBe('');
    await terminal.run(`echo ${OLD} | kubectl create -f -`);
    expect(await terminal.run('kubectl get gauges g -o jsonpath={.metadata.namespace}')).toBe('');
  });
});
