import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findKubectls } from './harness/kubectl-binaries.ts';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Terminal } from './harness/terminal.ts';

/** The first minor version of kubectl with `wait --for=create`. */
const WAITS_FOR_CREATE = 31;

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
});

afterAll(() => cluster?.stop());

/** The commands of kubectl's help that no other file here tries, except those that need a running container. */
describe.each(findKubectls())('kubectl $version', (kubectl) => {
  let terminal: Terminal;
  const namespace = `every-${kubectl.version.replace('.', '-')}`;
  const node = `node-${namespace}`;

  beforeAll(async () => {
    terminal = await cluster.open(kubectl);
    await terminal.run(`kubectl create namespace ${namespace}`);
    await terminal.run(`kubectl config set-context --current --namespace=${namespace}`);
    await terminal.run('kubectl create deployment web --image=nginx:1 --replicas=2 --port=80');
    await terminal.run('kubectl run alone --image=nginx:1 --labels=app=alone');
  });

  const says = (line: string, what: RegExp | string) => async () => {
    expect(await terminal.run(line)).toMatch(what);
  };
  const refuses = (line: string, what: RegExp | string) => async () => {
    expect(await terminal.refused(line)).toMatch(what);
  };
  const seen = (object: string, path: string) => terminal.run(`kubectl get ${object} -o jsonpath='${path}'`);

  describe('kubectl create', () => {
    it.each([
      [
        'secret docker-registry pull --docker-server=x --docker-username=u --docker-password=p',
        'secret/pull',
      ],
      ['service nodeport outer --tcp=80:80', 'service/outer'],
      ['service loadbalancer balanced --tcp=80:80', 'service/balanced'],
      ['service externalname away --external-name=example.com', 'service/away'],
      ['cronjob often --image=busybox --schedule="*/5 * * * *" -- date', 'cronjob.batch/often'],
      ['job once --from=cronjob/often', 'job.batch/once'],
      [`clusterrole reader-${namespace} --verb=get,list --resource=pods`, 'reader-'],
      [`clusterrolebinding readers-${namespace} --clusterrole=reader-${namespace} --user=u`, 'readers-'],
      [
        'poddisruptionbudget budget --selector=app=web --min-available=1',
        'poddisruptionbudget.policy/budget',
      ],
    ])('creates: %s', (rest, made) => says(`kubectl create ${rest}`, new RegExp(`${made}.* created`))());

    it('kubectl create token says why there is no token', refuses('kubectl create token default', /token/));
  });

  it("sets fields of a template, of a Service's selector and of a RoleBinding's subjects", async () => {
    await terminal.run('kubectl set image deployment/web nginx=nginx:2');
    await terminal.run('kubectl set env deployment/web A=B');
    await terminal.run('kubectl set resources deployment/web --limits=cpu=200m,memory=64Mi');
    await terminal.run('kubectl create serviceaccount robot');
    await terminal.run('kubectl set serviceaccount deployment web robot');
    const template = '{.spec.template.spec.containers[0].image} {.spec.template.spec.serviceAccountName}';
    expect(await seen('deployment web', template)).toBe('nginx:2 robot');
    expect(await terminal.run('kubectl set env deployment/web --list')).toContain('A=B');
    await terminal.run('kubectl set selector service outer app=web');
    expect(await seen('service outer', '{.spec.selector.app}')).toBe('web');
    await terminal.run('kubectl create role reader --verb=get --resource=pods');
    await terminal.run('kubectl create rolebinding readers --role=reader --user=ann');
    await terminal.run('kubectl set subject rolebinding readers --user=joe');
    expect(await seen('rolebinding readers', '{.subjects[*].name}')).toBe('ann joe');
  });

  it('rolls out, as far as an object store can', async () => {
    await terminal.run('kubectl rollout pause deployment/web');
    expect(await terminal.refused('kubectl rollout pause deployment/web')).toContain('already paused');
    await terminal.run('kubectl rollout resume deployment/web');
    await terminal.run('kubectl rollout restart deployment/web');
    expect(await terminal.run('kubectl rollout history deployment/web')).toContain(
      'No rollout history found',
    );
    expect(await terminal.refused('kubectl rollout undo deployment/web')).toContain(
      'no rollout history found',
    );
    expect((await terminal.either('kubectl rollout status deployment/web --watch=false')).output).toContain(
      'Waiting for deployment',
    );
  });

  it('scales a Deployment and exposes it', async () => {
    await terminal.run('kubectl scale deployment/web --replicas=3');
    expect(
      await terminal.refused('kubectl scale deployment/web --current-replicas=1 --replicas=5'),
    ).toContain('Expected replicas to be 1, was 3');
    await terminal.run(
      `kubectl patch deployment web --subresource=scale --type=merge -p '{"spec":{"replicas":4}}'`,
    );
    expect(await seen('deployment web', '{.spec.replicas}')).toBe('4');
    await terminal.run('kubectl expose deployment/web --port=80 --name=exposed');
    expect(await seen('service exposed', '{.spec.selector.app} {.spec.ports[0].port}')).toBe('web 80');
  });

  it('labels and annotates an object, lists both, and overwrites only with --overwrite', async () => {
    await terminal.run('kubectl label pod alone x=y');
    expect(await terminal.refused('kubectl label pod alone x=z')).toContain('--overwrite is false');
    await terminal.run('kubectl label --overwrite pod alone x=z');
    expect((await terminal.lines('kubectl label pod alone --list')).toSorted()).toEqual(['app=alone', 'x=z']);
    await terminal.run('kubectl annotate pod alone note=1');
    await terminal.run('kubectl annotate --overwrite pod alone note=2');
    expect(await terminal.run('kubectl annotate pod alone --list')).toBe('note=2');
  });

  it('taints, cordons and drains a node', async () => {
    const manifest = JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: node } });
    await terminal.run(`echo '${manifest}' | kubectl apply -f -`);
    const pod = { containers: [{ name: 'web', image: 'nginx:1' }], nodeName: node };
    const bound = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'bound' }, spec: pod };
    await terminal.run(`echo '${JSON.stringify(bound)}' | kubectl apply -f -`);
    await terminal.run(`kubectl taint node ${node} key=value:NoSchedule`);
    await terminal.run(`kubectl cordon ${node}`);
    expect(await seen(`node ${node}`, '{.spec.unschedulable} {.spec.taints[*].key}')).toMatch(/^true .*key/);
    await terminal.run(`kubectl uncordon ${node}`);
    await terminal.run(`kubectl taint node ${node} key-`);
    await terminal.run(`kubectl delete pod bound --grace-period=0 --force`);
    expect(await terminal.run(`kubectl drain ${node} --ignore-daemonsets --timeout=20s`)).toContain(
      'drained',
    );
  });

  describe('Commands that need a container or its metrics', () => {
    it('kubectl exec is refused', refuses('kubectl exec alone -- ls', 'does not have a host assigned'));
    it('kubectl cp is refused', refuses('kubectl cp alone:/a a', 'does not have a host assigned'));
    it('kubectl attach is refused', refuses('kubectl attach alone', 'does not have a host assigned'));
    it('kubectl port-forward is refused', refuses('kubectl port-forward alone 1:80', 'pod is not running'));
    it('kubectl top is refused', refuses('kubectl top pod', 'Metrics API not available'));
    it('kubectl logs prints nothing', says('kubectl logs alone', /^$/));
  });

  it('adds a debugging container, and copies a pod with one', async () => {
    await terminal.run('kubectl debug alone --image=busybox');
    expect(await seen('pod alone', '{.spec.ephemeralContainers[*].image}')).toBe('busybox');
    await terminal.run('kubectl debug alone --image=busybox --copy-to=copied');
    expect(await seen('pod copied', '{.spec.containers[*].image}')).toContain('busybox');
  });

  it('applies ApplySets, and prunes an object that has left its set', async () => {
    const map = (name: string) => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    const apply = (set: string, ...names: string[]) =>
      terminal.lines(
        `echo '${names.map(map).join('\n')}' | KUBECTL_APPLYSET=true kubectl apply -n ${namespace} -f - --prune --applyset=${set}`,
      );
    expect(await apply('team', 'kept', 'left')).toEqual(['configmap/kept created', 'configmap/left created']);
    expect(await apply('team', 'kept')).toEqual(['configmap/kept unchanged', 'configmap/left pruned']);
    expect(await apply('configmaps/parent', 'other')).toEqual(['configmap/other created']);
    expect(await terminal.refused('kubectl get configmap left')).toContain('not found');
  });

  it('migrates an object from client-side to server-side apply, and shows differences', async () => {
    const map = (value: string) =>
      `echo '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"moved"},"data":{"a":"${value}"}}'`;
    await terminal.run(`${map('1')} | kubectl apply -f -`);
    expect(await terminal.run('kubectl apply view-last-applied configmap/moved')).toContain('a: "1"');
    await terminal.run(`${map('1')} | kubectl apply --server-side -f -`);
    expect(await terminal.run(`${map('1')} | kubectl diff --server-side -f -`)).toBe('');
    expect((await terminal.either(`${map('2')} | kubectl diff --server-side -f -`)).output).toMatch(
      /^\+ +a: "2"$/m,
    );
    await terminal.run(`${map('2')} | kubectl apply --server-side -f -`);
    const refusal = await terminal.refused(
      `${map('3')} | kubectl apply --server-side --field-manager=x -f -`,
    );
    expect(refusal).toContain('conflict with "kubectl": .data.a');
    await terminal.run(`${map('3')} | kubectl apply --server-side --field-manager=x --force-conflicts -f -`);
    expect(await seen('configmap moved', '{.data.a}')).toBe('3');
  });

  it('waits for a condition, a value and a creation', async () => {
    expect(await terminal.refused('kubectl wait pod/alone --for=condition=Ready --timeout=1s')).toContain(
      'timed out',
    );
    await terminal.run(`kubectl wait deployment/web --for=jsonpath='{.spec.replicas}'=4 --timeout=20s`);
    if (kubectl.minor < WAITS_FOR_CREATE) return;
    expect(await terminal.run('kubectl wait pod/alone --for=create --timeout=20s')).toContain(
      'condition met',
    );
  });

  describe('Commands that show what the API serves', () => {
    it(
      'kubectl api-resources lists the resource types',
      says('kubectl api-resources -o wide --verbs=list --namespaced=false', /^nodes +no +v1 +false +Node/m),
    );
    it('kubectl api-versions lists the versions', says('kubectl api-versions', /^apps\/v1$/m));
    it('cluster-info', says('kubectl cluster-info', 'control plane'));
    it(
      'kubectl cluster-info dump prints the nodes',
      says(`kubectl cluster-info dump --namespaces=${namespace}`, '"kind": "NodeList"'),
    );
    it('explains nested fields', says('kubectl explain deployment --recursive', /^ +matchLabels\s/m));
    it('kubectl events finds no Warnings of the pod', async () => {
      expect((await terminal.either('kubectl events --for pod/alone --types=Warning')).output).toContain(
        'No events',
      );
    });
    it('kubectl proxy passes requests on', async () => {
      const proxy = terminal.start('kubectl proxy --port=0');
      await proxy.until((output) => output.length > 0);
      const [, port] = /:(\d+)$/.exec(proxy.output[0] ?? '') ?? [];
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/namespaces/${namespace}`);
      expect(await answer.json()).toMatchObject({ kind: 'Namespace', metadata: { name: namespace } });
      proxy.end();
    });
    it('kubectl kustomizes, applies and deletes a folder', async () => {
      const folder = '"$HOME"/kustomized';
      await terminal.run(
        `mkdir -p ${folder} && echo 'configMapGenerator: [{name: made, literals: [a=b]}]' > ${folder}/kustomization.yaml`,
      );
      expect(await terminal.run(`kubectl apply -k ${folder}`)).toMatch(/^configmap\/made-\w+ created$/);
      expect(await terminal.run(`kubectl delete -k ${folder}`)).toContain('deleted');
    });
  });

  describe('kubectl get, with a pod', () => {
    it.each([
      ['name', 'pod/alone'],
      ['wide', 'NOMINATED NODE'],
      ['yaml', 'kind: Pod'],
      ['json', '"kind": "Pod"'],
      [`jsonpath='{.metadata.name}'`, 'alone'],
      [`jsonpath-as-json='{.metadata.name}'`, '"alone"'],
      [`go-template='{{.metadata.name}}'`, 'alone'],
      ['custom-columns=N:.metadata.name', /^N\nalone$/],
    ])('prints a pod with -o %s', (format, what) => says(`kubectl get pod alone -o ${format}`, what)());

    it('prints the status of a pod', says('kubectl get pod alone --subresource=status -o name', 'pod/alone'));
    it(
      'prints the raw answer of the API',
      says(`kubectl get --raw /api/v1/namespaces/${namespace}/pods/alone`, '"kind":"Pod"'),
    );
    it('lists the Deployment with kubectl get all', says('kubectl get all', 'deployment.apps/web'));
  });

  it('edits an object, replaces it by force, and replaces and deletes it with --raw', async () => {
    await terminal.run(`KUBE_EDITOR='sed -i /a:/s/3/4/' kubectl edit configmap moved`);
    expect(await seen('configmap moved', '{.data.a}')).toBe('4');
    const map = `echo '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"moved"},"data":{"b":"1"}}'`;
    const uid = await seen('configmap moved', '{.metadata.uid}');
    expect(await terminal.run(`${map} | kubectl replace --force -f -`)).toContain('replaced');
    expect(await seen('configmap moved', '{.metadata.uid}')).not.toBe(uid);
    const path = `/api/v1/namespaces/${namespace}/configmaps/moved`;
    expect(await terminal.run(`${map} | kubectl replace --raw ${path} -f -`)).toContain('"b":"1"');
    expect(await terminal.run(`kubectl delete --raw ${path}`)).toContain('"Success"');
  });

  it('deletes with each kind of cascade, with --dry-run, --now and by namespace', async () => {
    await terminal.run('kubectl delete deployment web --cascade=orphan');
    await terminal.run('kubectl delete cronjob often --cascade=foreground --timeout=30s');
    expect(await terminal.run('kubectl delete configmap --all --dry-run=server')).toContain('server dry run');
    await terminal.run('kubectl delete pod alone --now');
    await terminal.run(`kubectl delete node ${node}`);
    await terminal.run(
      `kubectl delete clusterrole/reader-${namespace} clusterrolebinding/readers-${namespace}`,
    );
    await terminal.run(`kubectl delete namespace ${namespace} --timeout=40s`);
  });
});
