import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Terminal } from './harness/terminal.ts';

const POLICIES = 'conformance/manifests/policies';
let cluster: Cluster;
let terminal: Terminal;

beforeAll(async () => {
  cluster = await startCluster({ newestSchema: true });
  terminal = cluster.terminal;
});

afterAll(() => cluster?.stop());

it('A policy that requires a label refuses a pod without it, until its binding is deleted', async () => {
  await terminal.run('kubectl run old --image=nginx:1');
  await terminal.run(`kubectl apply -f ${POLICIES}/required-label.yaml`);
  expect(await terminal.refused('kubectl run web --image=nginx:1 --labels=app=web')).toBe(
    `The pods "web" is invalid: : ValidatingAdmissionPolicy 'required-label' with binding 'required-label' denied request: pod web has no label team`,
  );
  await terminal.run('kubectl run web --image=nginx:1 --labels=team=red');
  for (const command of [
    'label pod web team-',
    'annotate pod old a=b',
    'label pod web app=x team- --dry-run=server',
  ]) {
    expect(await terminal.refused(`kubectl ${command}`)).toContain('has no label team');
  }
  await terminal.run('kubectl delete pod old --now');
  await terminal.run('kubectl delete validatingadmissionpolicybinding required-label');
  await terminal.run('kubectl label pod web team-');
  await terminal.run('kubectl delete validatingadmissionpolicy required-label');
});

it('A policy with the action Warn warns, and admits the pod', async () => {
  await terminal.run(`kubectl apply -f ${POLICIES}/warned-image.yaml`);
  const { code, output } = await terminal.either('kubectl run untagged --image=nginx');
  expect(code).toBe(0);
  expect(output).toContain(
    "Warning: Validation failed for ValidatingAdmissionPolicy 'warned-image' with binding 'warned-image': an image has no tag",
  );
  expect((await terminal.either('kubectl run tagged --image=nginx:1')).output).not.toContain('Warning');
});

it('A policy reads its parameters from a ConfigMap, as it is at the time of the write', async () => {
  await terminal.run(`kubectl apply -f ${POLICIES}/most-replicas.yaml`);
  await terminal.run('kubectl create deployment web --image=nginx:1 --replicas=3');
  const message = 'at most 3 replicas';
  expect(await terminal.refused('kubectl scale deployment web --replicas=4')).toContain(message);
  expect(await terminal.refused('kubectl create deployment big --image=nginx:1 --replicas=4')).toContain(
    message,
  );
  await terminal.run(`kubectl patch configmap replicas -p '{"data":{"most":"4"}}'`);
  await terminal.run('kubectl scale deployment web --replicas=4');
  await terminal.run('kubectl delete configmap replicas');
  expect(await terminal.refused('kubectl scale deployment web --replicas=2')).toContain('no params found');
  await terminal.run('kubectl delete validatingadmissionpolicybinding most-replicas');
  await terminal.run('kubectl scale deployment web --replicas=2');
});

it('A policy whose expression does not compile is refused', async () => {
  const complaint = await terminal.refused(`kubectl apply -f ${POLICIES}/not-compiling.yaml`);
  expect(complaint).toContain('spec.validations[0].expression: Invalid value');
  expect(complaint).toContain('compilation failed');
});

it('A mutating policy adds a container and a label to new pods, until its binding is deleted', async () => {
  await terminal.run(`kubectl apply -f ${POLICIES}/sidecar.yaml`);
  expect(await terminal.run('kubectl get mutatingadmissionpolicies')).toMatch(
    /^NAME +MUTATIONS +PARAMKIND +AGE\nsidecar +2 +<unset> +\d+s/,
  );
  expect(await terminal.run('kubectl explain mutatingadmissionpolicy.spec.mutations.jsonPatch')).toContain(
    'jsonpatch.escapeKey',
  );
  const shown = `-o jsonpath='{.spec.containers[*].name} {.metadata.labels}'`;
  await terminal.run('kubectl run meshed --image=nginx:1 --labels=mesh=on');
  expect(await terminal.run(`kubectl get pod meshed ${shown}`)).toContain(
    'meshed proxy {"mesh":"on","mesh.example/proxy":"v1"}',
  );
  await terminal.run('kubectl run plain --image=nginx:1');
  expect(await terminal.run(`kubectl get pod plain ${shown}`)).toContain('plain {"run":"plain"}');
  await terminal.run('kubectl delete mutatingadmissionpolicybinding sidecar');
  await terminal.run('kubectl run later --image=nginx:1 --labels=mesh=on');
  expect(await terminal.run(`kubectl get pod later ${shown}`)).toContain('later {"mesh":"on"}');
});

it('A policy denies kubectl attach', async () => {
  await terminal.run(`kubectl apply -f ${POLICIES}/no-attach.yaml`);
  await terminal.run('kubectl run attached --image=nginx:1');
  expect(await terminal.refused('kubectl attach attached -i')).toContain(
    'attaching to attached is not allowed',
  );
  await terminal.run('kubectl delete validatingadmissionpolicybinding no-attach');
  expect(await terminal.refused('kubectl attach attached -i')).toContain('does not have a host assigned');
});
