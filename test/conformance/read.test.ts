import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Terminal } from './harness/terminal.ts';

const AGE = expect.stringMatching(/^\d+[smh]/);

let cluster: Cluster;
let terminal: Terminal;

beforeAll(async () => {
  cluster = await startCluster();
  terminal = cluster.terminal;
  await terminal.run('kubectl apply -f fixtures/pods.yaml -f fixtures/services.yaml -f fixtures/nodes.yaml');
});

afterAll(() => cluster?.stop());

describe('kubectl version', () => {
  it("shows the server's version", async () => {
    expect(await terminal.run('kubectl version')).toMatch(/^Server Version: .*\bv1\.\d+\.\d+\+winnow\b/m);
  });
});

describe('kubectl api-resources', () => {
  it.each([
    ['pods', ['pods', 'po', 'v1', 'true', 'Pod']],
    ['namespaces', ['namespaces', 'ns', 'v1', 'false', 'Namespace']],
    ['secrets', ['secrets', 'v1', 'true', 'Secret']],
    ['deployments', ['deployments', 'deploy', 'apps/v1', 'true', 'Deployment']],
    ['networkpolicies', ['networkpolicies', 'netpol', 'networking.k8s.io/v1', 'true', 'NetworkPolicy']],
    ['subscriptions', ['subscriptions', 'sub', 'winnow.dev/v1', 'true', 'Subscription']],
  ])('shows %s', async (name, row) => {
    const rows = await terminal.table('kubectl api-resources');
    expect(
      rows
        .find(([resource]) => resource === name)
        ?.join(' ')
        .split(/ +/),
    ).toEqual(row);
  });

  it('shows the types of one group by name', async () => {
    expect(await terminal.lines('kubectl api-resources --api-group=apps -o name --sort-by=name')).toEqual([
      'controllerrevisions.apps',
      'daemonsets.apps',
      'deployments.apps',
      'replicasets.apps',
      'statefulsets.apps',
    ]);
  });
});

describe('kubectl explain', () => {
  it('describes a built-in type', async () => {
    const lines = await terminal.lines('kubectl explain deployments');
    expect(lines).toEqual(expect.arrayContaining(['GROUP:      apps', 'KIND:       Deployment', 'FIELDS:']));
  });

  it('describes a field of a Subscription', async () => {
    const text = await terminal.run('kubectl explain subscription.spec.labelSelector');
    expect(text).toMatch(/^FIELD: labelSelector <string>$/m);
    expect(text).toContain('selector language');
  });
});

describe('kubectl get', () => {
  it('shows a table of pods', async () => {
    const rows = await terminal.table('kubectl get pods redis-dev label-demo');
    expect(rows).toEqual([
      ['NAME', 'READY', 'STATUS', 'RESTARTS', 'AGE'],
      ['redis-dev', '0/1', 'Pending', '0', AGE],
      ['label-demo', '0/1', 'Pending', '0', AGE],
    ]);
  });

  it('finds a type by its short name and its singular', async () => {
    for (const type of ['po', 'pod', 'pods']) {
      expect(await terminal.run(`kubectl get ${type} redis-dev -o name`)).toBe('pod/redis-dev');
    }
  });

  it('shows several types at once', async () => {
    expect(
      await terminal.lines('kubectl get svc/redis rc/guestbook-stable node/gpu-1 ns/default -o name'),
    ).toEqual(['service/redis', 'replicationcontroller/guestbook-stable', 'node/gpu-1', 'namespace/default']);
    const all = await terminal.lines('kubectl get all -o name');
    expect(all).toEqual(
      expect.arrayContaining(['pod/redis-dev', 'service/redis', 'replicationcontroller/guestbook-stable']),
    );
  });

  it('shows namespaces and labels', async () => {
    const rows = await terminal.table('kubectl get pods -A --show-labels');
    expect(rows[0]).toEqual(['NAMESPACE', 'NAME', 'READY', 'STATUS', 'RESTARTS', 'AGE', 'LABELS']);
    expect(rows.slice(1).map(([namespace, name, , , , , labels]) => [namespace, name, labels])).toEqual(
      expect.arrayContaining([
        ['default', 'label-demo', 'app=nginx,environment=production'],
        ['default', 'cuda-test', '<none>'],
      ]),
    );
  });

  it('shows a label as a column', async () => {
    const rows = await terminal.table('kubectl get pods -L tier -l component=redis');
    expect(rows.map((row) => [row[0], row[5]])).toEqual([
      ['NAME', 'TIER'],
      ['redis-dev', 'cache'],
      ['redis-leader', 'cache'],
    ]);
  });

  it('shows more with -o wide', async () => {
    const [head] = await terminal.table('kubectl get pods -o wide');
    expect(head?.slice(5)).toEqual(['IP', 'NODE', 'NOMINATED NODE', 'READINESS GATES']);
    const services = await terminal.table('kubectl get services -o wide');
    expect(services[1]?.slice(4)).toEqual(['80/TCP', AGE, 'app=guestbook,tier=frontend']);
  });

  it('prints an object as YAML and as JSON', async () => {
    const yaml = await terminal.lines('kubectl get pod redis-dev -o yaml');
    expect(yaml.slice(0, 2)).toEqual(['apiVersion: v1', 'kind: Pod']);
    expect(yaml).toEqual(expect.arrayContaining(['    component: redis', '  - image: redis:7']));
    const pod = JSON.parse(await terminal.run('kubectl get pod redis-dev -o json'));
    expect(pod.metadata.labels.partition).toBe('customerB');
    const list = JSON.parse(await terminal.run('kubectl get pods -l tier=cache -o json'));
    expect(list).toMatchObject({ kind: 'List', items: [{ kind: 'Pod' }, { kind: 'Pod', apiVersion: 'v1' }] });
  });

  it('prints the fields that a jsonpath and custom columns select', async () => {
    const path = `{range .items[*]}{.metadata.name}={.spec.containers[0].image}{"\\n"}{end}`;
    expect(await terminal.lines(`kubectl get pods -l tier=cache -o jsonpath='${path}'`)).toEqual([
      'redis-dev=redis:7',
      'redis-leader=redis:7',
    ]);
    expect(
      await terminal.table(
        'kubectl get pods -l tier=cache -o custom-columns=POD:.metadata.name,FOR:.metadata.labels.environment',
      ),
    ).toEqual([
      ['POD', 'FOR'],
      ['redis-dev', 'dev'],
      ['redis-leader', 'production'],
    ]);
  });

  it('sorts by a field', async () => {
    const sorted = await terminal.lines(
      'kubectl get pods -l tier -o name --sort-by=.metadata.labels.environment',
    );
    expect(sorted[0]).toBe('pod/redis-dev');
    expect(sorted.slice(-2)).toEqual(['pod/guestbook-backend-qa', 'pod/guestbook-frontend-qa']);
    const table = await terminal.table('kubectl get pods -l app --sort-by=.metadata.labels.app');
    expect(table.at(-1)?.[0]).toBe('label-demo');
  });

  it('shows the same objects in chunks of two', async () => {
    const all = await terminal.lines('kubectl get pods -o name');
    expect(all).toHaveLength(9);
    expect(await terminal.lines('kubectl get pods -o name --chunk-size=2')).toEqual(all);
    const names = (await terminal.table('kubectl get pods --chunk-size=2'))
      .slice(1)
      .map(([name]) => `pod/${name}`);
    expect(names).toEqual(all);
    expect(await terminal.lines('kubectl get pods -o name --chunk-size=1 -l tier=cache')).toEqual([
      'pod/redis-dev',
      'pod/redis-leader',
    ]);
  });

  it.each([
    ['metadata.name=redis-dev', ['pod/redis-dev']],
    ['metadata.name!=redis-dev,status.phase=Pending', expect.not.arrayContaining(['pod/redis-dev'])],
    ['status.phase=Running', []],
    ['metadata.namespace=default,metadata.name==cuda-test', ['pod/cuda-test']],
  ])('selects by fields: %s', async (selector, names) => {
    expect(await terminal.lines(`kubectl get pods -o name --field-selector '${selector}'`)).toEqual(names);
  });

  it('says that there are no resources', async () => {
    expect((await terminal.either('kubectl get deployments')).output).toBe(
      'No resources found in default namespace.',
    );
    expect((await terminal.either('kubectl get pods -n nobody')).output).toBe(
      'No resources found in nobody namespace.',
    );
  });
});

/** The selectors of https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/ */
const SELECTED: readonly (readonly [string, readonly string[]])[] = [
  ['environment=production,tier=frontend', ['guestbook-frontend-1', 'guestbook-frontend-2']],
  [
    'environment = production',
    ['guestbook-backend', 'guestbook-frontend-1', 'guestbook-frontend-2', 'label-demo', 'redis-leader'],
  ],
  ['environment=production,tier!=frontend', ['guestbook-backend', 'label-demo', 'redis-leader']],
  [
    'tier != frontend',
    ['cuda-test', 'guestbook-backend', 'guestbook-backend-qa', 'label-demo', 'redis-dev', 'redis-leader'],
  ],
  [
    'environment in (production, qa)',
    [
      'guestbook-backend',
      'guestbook-backend-qa',
      'guestbook-frontend-1',
      'guestbook-frontend-2',
      'guestbook-frontend-qa',
      'label-demo',
      'redis-leader',
    ],
  ],
  ['environment in (production),tier in (frontend)', ['guestbook-frontend-1', 'guestbook-frontend-2']],
  [
    'environment in (production, qa),tier in (frontend)',
    ['guestbook-frontend-1', 'guestbook-frontend-2', 'guestbook-frontend-qa'],
  ],
  ['tier notin (frontend, backend)', ['cuda-test', 'label-demo', 'redis-dev', 'redis-leader']],
  [
    'partition',
    [
      'guestbook-backend',
      'guestbook-frontend-1',
      'guestbook-frontend-2',
      'guestbook-frontend-qa',
      'redis-dev',
    ],
  ],
  ['!partition', ['cuda-test', 'guestbook-backend-qa', 'label-demo', 'redis-leader']],
  [
    'partition,environment notin (qa)',
    ['guestbook-backend', 'guestbook-frontend-1', 'guestbook-frontend-2', 'redis-dev'],
  ],
  [
    'environment,environment notin (frontend)',
    [
      'guestbook-backend',
      'guestbook-backend-qa',
      'guestbook-frontend-1',
      'guestbook-frontend-2',
      'guestbook-frontend-qa',
      'label-demo',
      'redis-dev',
      'redis-leader',
    ],
  ],
  [
    'partition in (customerA, customerB),environment!=qa',
    ['guestbook-backend', 'guestbook-frontend-1', 'guestbook-frontend-2', 'redis-dev'],
  ],
  ['app=guestbook,tier=frontend', ['guestbook-frontend-1', 'guestbook-frontend-2', 'guestbook-frontend-qa']],
  ['app=nobody', []],
];

describe('kubectl get -l', () => {
  it.each(SELECTED)('selects by %s', async (selector, names) => {
    const selected = await terminal.lines(`kubectl get pods -o name -l '${selector}'`);
    expect(selected).toEqual(names.map((name) => `pod/${name}`));
  });

  it('selects nodes as the nodeSelector of the documentation does', async () => {
    expect(await terminal.run('kubectl get nodes -o name -l accelerator=nvidia-tesla-p100')).toBe(
      'node/gpu-1',
    );
  });
});

describe('kubectl get --raw', () => {
  it.each([
    ['labelSelector=environment%3Dproduction,tier%3Dfrontend', 2],
    ['labelSelector=environment+in+%28production%2Cqa%29%2Ctier+in+%28frontend%29', 3],
  ])("accepts the documentation's query %s", async (query, count) => {
    const list = JSON.parse(
      await terminal.run(`kubectl get --raw '/api/v1/namespaces/default/pods?${query}'`),
    );
    expect(list.items).toHaveLength(count);
  });
});

describe('kubectl get --raw with explain', () => {
  const path = '/api/v1/namespaces/default/pods?labelSelector=tier%3Dfrontend';

  it('prints the plan of a list', async () => {
    const lines = await terminal.lines(`kubectl get --raw '${path}&explain=text'`);
    expect(lines[0]?.split(/ {2,}/)).toEqual(['STEP', 'FROM', 'REQUESTS', 'ROWS', 'UNITS', 'NOTE']);
    expect(lines.join('\n')).toMatch(/^requirement +slot-\d+: tier=frontend .* names taken from here$/m);
    expect(lines.at(-1)).toMatch(/^total +slot-\d+ +\d+ +\d+ +\d+(\.\d)? +\d+ match/);
  });

  it('gives the plan as a Table', async () => {
    const table = JSON.parse(await terminal.run(`kubectl get --raw '${path}&explain=true'`));
    expect(table).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
  });
});
