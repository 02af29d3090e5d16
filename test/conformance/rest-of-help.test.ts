import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { findKubectls } from './harness/kubectl-binaries.ts';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Terminal } from './harness/terminal.ts';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
});

afterAll(() => cluster?.stop());

/** Commands and options of kubectl's help that `every-command` leaves out. */
describe.each(findKubectls())('kubectl $version', (kubectl) => {
  let terminal: Terminal;
  const suffix = kubectl.version.replace('.', '-');
  const namespace = `rest-${suffix}`;

  beforeAll(async () => {
    terminal = await cluster.open(kubectl);
    await terminal.run(`kubectl create namespace ${namespace}`);
    await terminal.run(`kubectl config set-context --current --namespace=${namespace}`);
  });

  const manifest = (object: object) => `echo '${JSON.stringify(object)}'`;
  const map = (name: string, labels = {}) =>
    manifest({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } });
  const seen = (object: string, path: string) => terminal.run(`kubectl get ${object} -o jsonpath='${path}'`);

  it.each([
    ['quota limits --hard=pods=2', 'resourcequota/limits created'],
    ['ingress front --rule=a.example/*=web:80', 'ingress.networking.k8s.io/front created'],
    [`priorityclass high-${suffix} --value=5`, `priorityclass.scheduling.k8s.io/high-${suffix} created`],
  ])('kubectl create %s succeeds', async (rest, says) => {
    expect(await terminal.run(`kubectl create ${rest}`)).toBe(says);
  });

  it('autoscales a Deployment', async () => {
    await terminal.run('kubectl create deployment web --image=nginx:1');
    await terminal.run('kubectl autoscale deployment web --min=2 --max=5 --cpu-percent=80');
    expect(await seen('hpa web', '{.spec.minReplicas} {.spec.maxReplicas} {.spec.scaleTargetRef.name}')).toBe(
      '2 5 web',
    );
  });

  it('reconciles roles with kubectl auth reconcile', async () => {
    const role = (...verbs: string[]) =>
      manifest({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'reader', namespace },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs }],
      });
    await terminal.run(`${role('get')} | kubectl auth reconcile -f -`);
    await terminal.run(`${role('list')} | kubectl auth reconcile -f -`);
    expect(await seen('role reader', '{.rules[*].verbs[*]}')).toBe('get list');
    await terminal.run(`${role('list')} | kubectl auth reconcile --remove-extra-permissions -f -`);
    expect(await seen('role reader', '{.rules[*].verbs[*]}')).toBe('list');
  });

  it('approves and denies certificate requests', async () => {
    const request = '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n';
    const spec = {
      request: Buffer.from(request).toString('base64'),
      usages: ['client auth'],
      signerName: 'a.b/c',
    };
    for (const [word, condition] of [
      ['approve', 'Approved'],
      ['deny', 'Denied'],
    ]) {
      const name = `${word}-${suffix}`;
      const asked = {
        apiVersion: 'certificates.k8s.io/v1',
        kind: 'CertificateSigningRequest',
        metadata: { name },
      };
      await terminal.run(`${manifest({ ...asked, spec })} | kubectl apply -f -`);
      expect(await terminal.run(`kubectl certificate ${word} ${name}`)).toContain(name);
      expect(await seen(`csr ${name}`, '{.status.conditions[*].type}')).toBe(condition);
      expect(await terminal.run(`kubectl get csr ${name}`)).toContain(condition);
      await terminal.run(`kubectl delete csr ${name}`);
    }
  });

  it('prunes objects by label', async () => {
    const ours = { team: 'ours' };
    const apply = (...names: string[]) =>
      terminal.lines(
        `(${names.map((name) => map(name, ours)).join('; ')}) | kubectl apply --prune -l team=ours --prune-allowlist=core/v1/ConfigMap -f -`,
      );
    expect(await apply('kept', 'left')).toEqual(['configmap/kept created', 'configmap/left created']);
    expect(await apply('kept')).toEqual(['configmap/kept unchanged', 'configmap/left pruned']);
  });

  it('shows the last-applied configuration, sets it and edits it', async () => {
    await terminal.run(`${map('set')} | kubectl create -f -`);
    await terminal.run(`${map('set')} | kubectl apply set-last-applied --create-annotation -f -`);
    expect(await terminal.run('kubectl apply view-last-applied configmap/set')).toContain('name: set');
    const edit = `KUBE_EDITOR='sed -i /metadata:/i\\data:\\ {a:\\ b}' kubectl apply edit-last-applied configmap/set`;
    await terminal.run(edit);
    expect(await terminal.run('kubectl apply view-last-applied configmap/set')).toContain('a: b');
  });

  it('waits until an object is deleted, and until a custom kind is established', async () => {
    await terminal.run(`${map('going')} | kubectl apply -f -`);
    const wait = terminal.start('kubectl wait configmap/going --for=delete --timeout=40s');
    await terminal.run('kubectl delete configmap going');
    expect(await wait.ended).toBe(0);
    await terminal.run('kubectl apply -f ../examples/device-definition.yaml');
    await terminal.run('kubectl wait crd/devices.fleet.example --for=condition=established --timeout=20s');
  });

  it('watches the events of one object', async () => {
    const watch = terminal.start('kubectl events --watch --for configmap/kept');
    const event = (name: string, about: string) =>
      manifest({
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace },
        involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: about, namespace },
        reason: 'Seen',
        message: `${about} was seen`,
        type: 'Normal',
        lastTimestamp: '2026-01-01T00:00:00Z',
      });
    await eventually('the watch tells what happens', async () => {
      await terminal.run(`${event('of-other', 'set')} | kubectl apply -f -`);
      await terminal.run(`${event('of-kept', 'kept')} | kubectl apply -f -`);
      return watch.output.some((line) => line.includes('kept was seen'));
    });
    expect(watch.output.join('\n')).not.toContain('set was seen');
    watch.end();
  });

  it.each([
    ['config view --minify', 'current-context'],
    ['completion bash', '__start_kubectl'],
    ['options', '--namespace'],
    ['explain crd.spec.versions.schema', 'openAPIV3Schema'],
    ['get --raw /readyz', 'ok'],
    ['api-resources --cached', 'configmaps'],
  ])('kubectl %s prints its result', async (line, says) => {
    expect(await terminal.run(`kubectl ${line}`)).toContain(says);
  });
});
