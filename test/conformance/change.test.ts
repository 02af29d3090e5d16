import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Terminal } from './harness/terminal.ts';

let cluster: Cluster;
let terminal: Terminal;

beforeAll(async () => {
  cluster = await startCluster();
  terminal = cluster.terminal;
  await terminal.run('kubectl apply -f fixtures/pods.yaml -f conformance/manifests/team.yaml');
});

afterAll(() => cluster?.stop());

async function object(name: string) {
  return JSON.parse(await terminal.run(`kubectl get ${name} -o json`));
}

const labels = async (name: string) => (await object(`pod/${name}`)).metadata.labels;

describe('kubectl label', () => {
  it('adds a label', async () => {
    expect(await terminal.run('kubectl label pod cuda-test color=red size=3')).toBe('pod/cuda-test labeled');
    expect(await labels('cuda-test')).toEqual({ color: 'red', size: '3' });
  });

  it('replaces a value only with --overwrite', async () => {
    expect(await terminal.refused('kubectl label pod cuda-test color=blue')).toBe(
      "error: 'color' already has a value (red), and --overwrite is false",
    );
    expect(await terminal.run('kubectl label pod cuda-test color=blue --overwrite')).toBe(
      'pod/cuda-test labeled',
    );
    expect(await labels('cuda-test')).toEqual({ color: 'blue', size: '3' });
  });

  it('removes a label', async () => {
    expect(await terminal.run('kubectl label pod cuda-test size-')).toBe('pod/cuda-test unlabeled');
    expect(await labels('cuda-test')).toEqual({ color: 'blue' });
  });

  it('writes nothing if the object already has the label', async () => {
    const before = await object('pod/cuda-test');
    expect(await terminal.run('kubectl label pod cuda-test color=blue')).toBe('pod/cuda-test not labeled');
    expect(await object('pod/cuda-test')).toEqual(before);
  });

  it('labels the objects that a selector selects', async () => {
    expect(await terminal.lines('kubectl label pods -l tier=cache wave=1')).toEqual([
      'pod/redis-dev labeled',
      'pod/redis-leader labeled',
    ]);
    expect(await terminal.lines('kubectl get pods -l wave=1 -o name')).toEqual([
      'pod/redis-dev',
      'pod/redis-leader',
    ]);
  });

  it('labels all objects with --all', async () => {
    expect(await terminal.lines('kubectl label pods --all wave=2 --overwrite')).toHaveLength(9);
    expect(await terminal.lines('kubectl get pods -l wave=2 -o name')).toHaveLength(9);
    expect(await terminal.lines('kubectl get pods -l wave=1 -o name')).toEqual([]);
  });

  it('refuses a stale --resource-version', async () => {
    expect(await terminal.refused('kubectl label pod cuda-test stale=1 --resource-version=2')).toMatch(
      /^Error from server \(Conflict\): .*the object has been modified/,
    );
  });
});

describe('kubectl annotate', () => {
  it('adds, replaces and removes an annotation', async () => {
    const note = `kubectl get pod label-demo -o jsonpath='{.metadata.annotations.note}'`;
    expect(await terminal.run(`kubectl annotate pod label-demo note='any text: {}'`)).toMatch(
      /^pod\/label-demo annotated?$/,
    );
    expect(await terminal.run(note)).toBe('any text: {}');
    await terminal.run('kubectl annotate pod label-demo note=other --overwrite');
    expect(await terminal.run(note)).toBe('other');
    await terminal.run('kubectl annotate pod label-demo note-');
    expect(await terminal.run(note)).toBe('');
  });
});

describe('kubectl patch', () => {
  const template = (containers: string) => `{"spec":{"template":{"spec":{"containers":${containers}}}}}`;
  const containers = async () => (await object('deployment/patched')).spec.template.spec.containers;

  it('merges lists by their keys, by default', async () => {
    await terminal.run('kubectl create deployment patched --image=nginx');
    const patch = template('[{"name":"side","image":"envoy:1"}]');
    expect(await terminal.run(`kubectl patch deployment patched -p '${patch}'`)).toBe(
      'deployment.apps/patched patched',
    );
    const names = (await containers()).map((one: { name: string }) => one.name);
    expect(names.sort()).toEqual(['nginx', 'side']);
    const remove = template('[{"name":"side","$patch":"delete"}]');
    await terminal.run(`kubectl patch deployment patched -p '${remove}'`);
    expect(await containers()).toHaveLength(1);
  });

  it('replaces lists with --type=merge, and removes fields that are null', async () => {
    const relabel = '{"metadata":{"labels":{"app":null,"tier":"web"}}}';
    await terminal.run(`kubectl patch pod label-demo --type=merge -p '${relabel}'`);
    expect(await labels('label-demo')).toEqual({ environment: 'production', tier: 'web', wave: '2' });
    const patch = template('[{"name":"only","image":"envoy:1"}]');
    await terminal.run(`kubectl patch deployment patched --type=merge -p '${patch}'`);
    expect(await containers()).toEqual([
      {
        name: 'only',
        image: 'envoy:1',
        imagePullPolicy: 'IfNotPresent',
        resources: {},
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
      },
    ]);
    await terminal.run('kubectl delete deployment patched');
  });

  it('applies operations with --type=json', async () => {
    const add = '[{"op":"add","path":"/metadata/labels/example.com~1team","value":"search"}]';
    await terminal.run(`kubectl patch pod label-demo --type=json -p '${add}'`);
    expect((await labels('label-demo'))['example.com/team']).toBe('search');
    const test = '[{"op":"test","path":"/metadata/labels/tier","value":"other"}]';
    expect(await terminal.refused(`kubectl patch pod label-demo --type=json -p '${test}'`)).toBe(
      [
        'Warning: operation 0: test /metadata/labels/tier: test failed',
        'The request is invalid: the server rejected our request due to an error in our request',
      ].join('\n'),
    );
  });

  it('changes nothing with an empty patch', async () => {
    expect(await terminal.run(`kubectl patch pod label-demo -p '{}'`)).toBe(
      'pod/label-demo patched (no change)',
    );
  });

  it('changes the status through its subresource only', async () => {
    const patch = '{"status":{"phase":"Running"}}';
    await terminal.run(`kubectl patch pod redis-dev --type=merge -p '${patch}'`);
    expect((await terminal.table('kubectl get pod redis-dev'))[1]?.[2]).toBe('Pending');
    await terminal.run(`kubectl patch pod redis-dev --subresource=status -p '${patch}'`);
    expect((await terminal.table('kubectl get pod redis-dev'))[1]?.[2]).toBe('Running');
    expect(await terminal.lines('kubectl get pods -o name --field-selector status.phase=Running')).toEqual([
      'pod/redis-dev',
    ]);
  });

  it('accepts only merge patches for Subscriptions', async () => {
    await terminal.run('kubectl apply -f fixtures/subscription.yaml');
    expect(
      await terminal.refused(`kubectl patch sub frontends -p '{"spec":{"payload":"Metadata"}}'`),
    ).toContain('application/strategic-merge-patch+json is not supported');
    expect(
      await terminal.run(`kubectl patch sub frontends --type=merge -p '{"spec":{"payload":"Metadata"}}'`),
    ).toBe('subscription.winnow.dev/frontends patched');
  });
});

describe('kubectl wait', () => {
  it('waits for a value that another terminal sets', async () => {
    const waiting = terminal.start(
      `kubectl wait pod/redis-leader --for=jsonpath='{.status.phase}'=Running --timeout=30s`,
    );
    await terminal.run(
      `kubectl patch pod redis-leader --subresource=status -p '{"status":{"phase":"Running"}}'`,
    );
    expect(await waiting.ended).toBe(0);
    expect(waiting.output).toEqual(['pod/redis-leader condition met']);
  });

  it('waits for a condition', async () => {
    const waiting = terminal.start('kubectl wait pod/redis-leader --for=condition=Ready --timeout=30s');
    const patch = '{"status":{"conditions":[{"type":"Ready","status":"True"}]}}';
    await terminal.run(`kubectl patch pod redis-leader --subresource=status -p '${patch}'`);
    expect(await waiting.ended).toBe(0);
    expect(waiting.output).toEqual(['pod/redis-leader condition met']);
  });

  it('gives up after --timeout', async () => {
    expect(await terminal.refused('kubectl wait pod/redis-leader --for=condition=Never --timeout=1s')).toBe(
      'error: timed out waiting for the condition on pods/redis-leader',
    );
  });
});

describe('kubectl, with a Deployment', () => {
  it('sets another image', async () => {
    expect(
      await terminal.run('kubectl set image -n team deployment/web web=nginx:1.28 logs=fluent-bit:4'),
    ).toBe('deployment.apps/web image updated');
    const [head, row] = await terminal.table('kubectl get deployment -n team web -o wide');
    expect(Object.fromEntries((head ?? []).map((name, index) => [name, row?.[index]]))).toMatchObject({
      READY: '0/2',
      CONTAINERS: 'web,logs',
      IMAGES: 'nginx:1.28,fluent-bit:4',
      SELECTOR: 'app=web',
    });
  });

  it('stamps the template with rollout restart', async () => {
    expect(await terminal.run('kubectl rollout restart -n team deployment/web')).toBe(
      'deployment.apps/web restarted',
    );
    const { spec } = await object('-n team deployment/web');
    expect(spec.template.metadata.annotations).toEqual({
      'kubectl.kubernetes.io/restartedAt': expect.stringMatching(/^\d{4}-/),
    });
  });

  it('scales the Deployment', async () => {
    expect(await terminal.run('kubectl scale -n team deployment/web --replicas=5')).toBe(
      'deployment.apps/web scaled',
    );
    expect((await object('-n team deployment/web')).spec.replicas).toBe(5);
  });
});
