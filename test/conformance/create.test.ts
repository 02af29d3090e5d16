import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Terminal } from './harness/terminal.ts';

/** Since 1.32 kubectl sends the objects of these commands as protobuf. */
let cluster: Cluster;
let terminal: Terminal;

beforeAll(async () => {
  cluster = await startCluster();
  terminal = cluster.terminal;
  await terminal.run('kubectl create namespace shop');
});

afterAll(() => cluster?.stop());

describe('kubectl create', () => {
  it.each([
    ['namespace fleet', 'namespace/fleet', '{.status.phase}', 'Active'],
    ['configmap colors --from-literal=sky=blue', 'configmap/colors', '{.data.sky}', 'blue'],
    ['secret generic key --from-literal=k=v', 'secret/key', '{.data.k} {.type}', 'dg== Opaque'],
    ['serviceaccount robot', 'serviceaccount/robot', '{.metadata.name}', 'robot'],
    [
      'deployment web --image=nginx --replicas=3 --port=80',
      'deployment.apps/web',
      '{.spec.replicas} {.spec.selector.matchLabels.app} {.spec.template.spec.containers[0].ports[0].containerPort}',
      '3 web 80',
    ],
    ['service clusterip front --tcp=80:http', 'service/front', '{.spec.ports[0].targetPort}', 'http'],
    [
      'job once --image=busybox -- date',
      'job.batch/once',
      '{.spec.template.spec.containers[0].command[0]}',
      'date',
    ],
    ['cronjob daily --image=busybox --schedule=@daily', 'cronjob.batch/daily', '{.spec.schedule}', '@daily'],
    [
      'ingress door --rule=shop.example/*=front:80',
      'ingress.networking.k8s.io/door',
      '{.spec.rules[0].http.paths[0].backend.service.port.number}',
      '80',
    ],
    [
      'role reader --verb=get --resource=pods',
      'role.rbac.authorization.k8s.io/reader',
      '{.rules[0].verbs[0]}',
      'get',
    ],
    [
      'rolebinding readers --role=reader --user=ann',
      'rolebinding.rbac.authorization.k8s.io/readers',
      '{.roleRef.name} {.subjects[0].name}',
      'reader ann',
    ],
    [
      'clusterrole lister --verb=list --resource=nodes',
      'clusterrole.rbac.authorization.k8s.io/lister',
      '{.rules[0].resources[0]}',
      'nodes',
    ],
    [
      'poddisruptionbudget some --selector=app=web --min-available=50%',
      'poddisruptionbudget.policy/some',
      '{.spec.minAvailable} {.spec.selector.matchLabels.app}',
      '50% web',
    ],
  ])('creates, shows and deletes: %s', async (what, name, path, shown) => {
    expect(await terminal.run(`kubectl create -n shop ${what}`)).toBe(`${name} created`);
    expect(await terminal.run(`kubectl get -n shop ${name} -o jsonpath='${path}'`)).toBe(shown);
    expect(await terminal.run(`kubectl delete -n shop ${name}`)).toMatch(/deleted/);
  });
});

describe('kubectl scale', () => {
  it('changes the replicas if the current number is as expected', async () => {
    await terminal.run('kubectl create -n shop deployment farm --image=nginx --replicas=2');
    const wanted = "kubectl get -n shop deployment farm -o jsonpath='{.spec.replicas}'";
    expect(await terminal.run('kubectl scale -n shop deployment farm --replicas=5')).toBe(
      'deployment.apps/farm scaled',
    );
    expect(await terminal.run(wanted)).toBe('5');
    expect(
      await terminal.refused('kubectl scale -n shop deployment farm --current-replicas=9 --replicas=1'),
    ).toMatch(/Expected replicas to be 9, was 5/);
    expect(await terminal.run('kubectl scale -n shop deployment farm --replicas=0')).toBe(
      'deployment.apps/farm scaled',
    );
    expect(await terminal.run(wanted)).toBe('0');
  });

  it('is refused for a kind without /scale', async () => {
    expect(await terminal.refused('kubectl scale -n shop configmap/colors --replicas=1')).toMatch(
      /could not find|not found/,
    );
  });
});
