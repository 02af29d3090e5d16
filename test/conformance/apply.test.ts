import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Terminal } from './harness/terminal.ts';

const TEAM = 'conformance/manifests/team.yaml';
const LATER = 'conformance/manifests/team-later.yaml';

let cluster: Cluster;
let terminal: Terminal;

beforeAll(async () => {
  cluster = await startCluster();
  terminal = cluster.terminal;
});

afterAll(() => cluster?.stop());

async function object(name: string) {
  return JSON.parse(await terminal.run(`kubectl get -n team ${name} -o json`));
}

/** The expected line of each object of the team. */
const each = (...outcomes: string[]) =>
  [
    'namespace/team',
    'deployment.apps/web',
    'service/web',
    'pod/web-1',
    'configmap/settings',
    'secret/login',
  ].map((name, index) => `${name} ${outcomes[index] ?? outcomes.at(-1)}`);

describe('kubectl apply', () => {
  it('rehearses on the server without writing anything', async () => {
    expect(await terminal.run('kubectl apply --dry-run=server -f fixtures/nodes.yaml')).toBe(
      'node/gpu-1 created (server dry run)\nnode/arm-1 created (server dry run)',
    );
    expect((await terminal.either('kubectl get nodes')).output).toBe('No resources found');
  });

  it('creates the objects of a file with several documents', async () => {
    expect(await terminal.lines(`kubectl apply -f ${TEAM}`)).toEqual(each('created'));
    expect(await object('deployment/web')).toMatchObject({
      metadata: { generation: 1 },
      spec: { replicas: 2 },
    });
  });

  it('stores the stringData of a Secret in its data', async () => {
    const { data, stringData } = await object('secret/login');
    expect({ data, stringData }).toEqual({ data: { user: 'YWRtaW4=' }, stringData: undefined });
  });

  it('leaves unchanged objects as they are', async () => {
    const before = [await object('deployment/web'), await object('secret/login')];
    // kubectl sends stringData again each time, because the stored object, with which it compares, does not have it.
    expect(await terminal.lines(`kubectl apply -f ${TEAM}`)).toEqual(
      each('unchanged', 'unchanged', 'unchanged', 'unchanged', 'unchanged', 'configured'),
    );
    expect([await object('deployment/web'), await object('secret/login')]).toEqual(before);
  });

  it('rehearses an update without writing it', async () => {
    const outcome = await terminal.run(`kubectl apply --dry-run=server -f ${LATER}`);
    expect(outcome).toContain('deployment.apps/web configured (server dry run)');
    expect((await object('configmap/settings')).data.color).toBe('blue');
  });

  it('updates changed fields, and removes fields that left the file', async () => {
    expect(await terminal.lines(`kubectl apply -f ${LATER}`)).toEqual(
      each('unchanged', 'configured', 'unchanged', 'unchanged', 'configured', 'configured'),
    );
    const { metadata, spec } = await object('deployment/web');
    expect(metadata.generation).toBe(2);
    expect(spec.template.spec.containers).toEqual([
      {
        name: 'web',
        image: 'nginx:1.28',
        imagePullPolicy: 'IfNotPresent',
        ports: [{ containerPort: 80, protocol: 'TCP' }],
        resources: {},
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
      },
    ]);
    expect((await object('configmap/settings')).data).toEqual({ color: 'green' });
    expect((await object('secret/login')).data).toEqual({ user: 'cm9vdA==' });
  });

  it('keeps fields that other clients wrote', async () => {
    await terminal.run('kubectl label -n team deployment/web reviewed=yes');
    await terminal.run('kubectl set image -n team deployment/web web=nginx:1.29');
    await terminal.run(`kubectl apply -f ${TEAM}`);
    const { metadata, spec } = await object('deployment/web');
    expect(metadata.labels).toEqual({ app: 'web', reviewed: 'yes' });
    const images = spec.template.spec.containers.map((container: { image: string }) => container.image);
    expect(images.sort()).toEqual(['fluent-bit:3', 'nginx:1.27']);
  });

  it('applies a manifest from stdin', async () => {
    const made = await terminal.run(
      'kubectl create configmap piped --from-literal=a=b --dry-run=client -o yaml | kubectl apply -f -',
    );
    expect(made).toBe('configmap/piped created');
  });
});

describe('kubectl diff', () => {
  it('shows what an apply would change, and exits with 1', async () => {
    const { code, output } = await terminal.either(`kubectl diff -f ${LATER}`);
    expect(code).toBe(1);
    const changed = output
      .split('\n')
      .filter((line) => /^[-+] /.test(line))
      .map((line) => line.replace(/ +/g, ' '));
    expect(changed).toEqual(
      expect.arrayContaining([
        '- - image: nginx:1.27',
        '+ - image: nginx:1.28',
        '- color: blue',
        '+ color: green',
      ]),
    );
    expect((await object('configmap/settings')).data.color).toBe('blue');
  });

  it('shows a new object whole, and prints nothing if nothing would change', async () => {
    const { code, output } = await terminal.either('kubectl diff -f fixtures/nodes.yaml');
    expect(code).toBe(1);
    expect(output).toMatch(/^\+kind: Node$/m);
    expect(await terminal.either(`kubectl diff -f ${TEAM}`)).toEqual({ code: 0, output: '' });
  });
});

describe('kubectl create -f', () => {
  it('creates new objects, and refuses existing ones', async () => {
    expect(await terminal.lines('kubectl create -f fixtures/nodes.yaml')).toEqual([
      'node/gpu-1 created',
      'node/arm-1 created',
    ]);
    expect(await terminal.refused('kubectl create -f fixtures/nodes.yaml')).toBe(
      ['gpu-1', 'arm-1']
        .map(
          (name) =>
            `Error from server (AlreadyExists): error when creating "fixtures/nodes.yaml": nodes "${name}" already exists`,
        )
        .join('\n'),
    );
  });
});

describe('kubectl replace', () => {
  it('writes the object as the file has it', async () => {
    await terminal.run('kubectl label node gpu-1 extra=1');
    expect(await terminal.lines('kubectl replace -f fixtures/nodes.yaml')).toEqual([
      'node/gpu-1 replaced',
      'node/arm-1 replaced',
    ]);
    expect(await terminal.run(`kubectl get node gpu-1 -o jsonpath='{.metadata.labels.extra}'`)).toBe('');
  });

  it('refuses a stale resourceVersion', async () => {
    await terminal.run('kubectl get node gpu-1 -o yaml > "$HOME/stale.yaml"');
    await terminal.run('kubectl label node gpu-1 extra=2');
    expect(await terminal.refused('kubectl replace -f "$HOME/stale.yaml"')).toMatch(
      /^Error from server \(Conflict\): error when replacing ".*": Operation cannot be fulfilled on nodes "gpu-1": the object has been modified; please apply your changes to the latest version and try again$/,
    );
  });

  it('deletes an object and creates it anew with --force', async () => {
    const uid = `kubectl get node arm-1 -o jsonpath='{.metadata.uid}'`;
    const before = await terminal.run(uid);
    expect(await terminal.run('kubectl replace --force -f fixtures/nodes.yaml')).toContain(
      'node/arm-1 replaced',
    );
    expect(await terminal.run(uid)).not.toBe(before);
  });
});

describe('kubectl edit', () => {
  it('writes the text that the editor saves', async () => {
    expect(
      await terminal.run(
        `KUBE_EDITOR='sed -i s/green/red/;s/blue/red/' kubectl edit -n team configmap settings`,
      ),
    ).toBe('configmap/settings edited');
    expect((await object('configmap/settings')).data.color).toBe('red');
  });
});
