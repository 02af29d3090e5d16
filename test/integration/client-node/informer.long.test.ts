import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { KubeConfig, ListWatch, makeInformer, type V1Pod, Watch } from '@kubernetes/client-node';
import { collectionOf } from '../../../lib/json/index.ts';
import { silentLogger, systemClock, systemRandom } from '../../../lib/platform/index.ts';
import { createDynamoTable } from '../../../lib/store/dynamodb/index.ts';
import { createStore } from '../../../lib/store/index.ts';
import { eventually } from '../../support/eventually.ts';
import { type Connection, connect } from './connect.ts';
import { Pods } from './pods.ts';

const SELECTOR = 'tier=web,color notin (grey)';

let connection: Connection;
let pods: Pods;
let stopping: (() => Promise<void>)[] = [];

beforeAll(async () => {
  connection = await connect();
  pods = new Pods(connection.config);
});

beforeEach(async () => {
  for (const { metadata } of (await pods.list()).items) await pods.delete(metadata?.name ?? '');
});

afterEach(async () => {
  for (const stop of stopping) await stop();
  stopping = [];
});

afterAll(() => connection.stop());

/** Records the events of an informer and counts its connections. An error fails the test that reads it. */
class Notebook {
  readonly told: string[] = [];
  connects = 0;
  readonly #errors: unknown[] = [];
  readonly #cache: ListWatch<V1Pod>;

  constructor(informer: ListWatch<V1Pod>) {
    this.#cache = informer;
    for (const verb of ['add', 'update', 'delete'] as const) {
      informer.on(verb, ({ metadata }) => this.told.push(`${verb} ${metadata?.name}`));
    }
    informer.on('connect', () => {
      this.connects += 1;
    });
    informer.on('error', (error) => this.#errors.push(error));
    stopping.push(() => informer.stop());
  }

  /** Waits until the informer has sent as many events, and expects exactly these events in this order. */
  async tells(...expected: string[]): Promise<void> {
    await eventually(`${expected}, not only ${this.told}`, () => this.told.length >= expected.length);
    expect(this.told).toEqual(expected);
    expect(this.#errors).toEqual([]);
  }

  async connected(times: number): Promise<void> {
    await eventually(`${times} connections`, () => this.connects >= times);
    expect(this.#errors).toEqual([]);
  }

  names(): string[] {
    return this.#cache
      .list()
      .map(({ metadata }) => metadata?.name ?? '')
      .sort();
  }
}

interface InformerOptions {
  /** The duration of each watch in seconds. */
  readonly seconds: number;
  /** Runs between two connections, instead of the informer's own back-off. */
  readonly between?: (connections: number) => Promise<void>;
}

/** Creates an informer whose watches end soon. */
function shortLived({ seconds, between = async () => {} }: InformerOptions): ListWatch<V1Pod> {
  let connections = 0;
  return new ListWatch(
    ...([`${Pods.path}?timeoutSeconds=${seconds}`, new Watch(connection.config)] as const),
    ...([() => pods.list(SELECTOR), false, SELECTOR, undefined] as const),
    {
      delayFn: async () => {
        connections += 1;
        await between(connections);
      },
    },
  );
}

describe('an informer', () => {
  it('an informer reports selector transitions as add, update and delete', async () => {
    await pods.create('there', { tier: 'web' });
    const informer = makeInformer(connection.config, Pods.path, () => pods.list(SELECTOR), SELECTOR);
    const notebook = new Notebook(informer as ListWatch<V1Pod>);
    await informer.start();
    await pods.create('new', { tier: 'web' });
    await pods.create('other', { tier: 'cache' });
    await pods.label('other', { tier: 'web' });
    await pods.label('new', { color: 'red' });
    await pods.label('there', { color: 'grey' });
    await pods.delete('new');
    const told = ['add there', 'add new', 'add other', 'update new', 'delete there', 'delete new'];
    await notebook.tells(...told);
    expect(notebook.names()).toEqual(['other']);
    await pods.label('there', { color: null });
    await notebook.tells(...told, 'add there');
    expect(notebook.connects).toBe(1);
  });

  it('an informer reconnects after a clean end, and repeats no event', async () => {
    await pods.create('there', { tier: 'web' });
    const informer = shortLived({ seconds: 1 });
    const notebook = new Notebook(informer);
    await informer.start();
    await notebook.connected(3);
    await pods.create('later', { tier: 'web' });
    await notebook.tells('add there', 'add later');
  });

  it('an informer resumes without loss if changes happen between its connections', async () => {
    await pods.create('leaves', { tier: 'web' });
    await pods.create('stays', { tier: 'web' });
    const informer = shortLived({
      seconds: 1,
      between: async (connections) => {
        if (connections > 1) return;
        await pods.label('leaves', { tier: 'cache' });
        await pods.create('passes', { tier: 'web' });
        await pods.delete('passes');
        await pods.create('enters', { tier: 'web' });
        await pods.label('stays', { color: 'red' });
      },
    });
    const notebook = new Notebook(informer);
    await informer.start();
    await notebook.tells(
      ...[
        'add leaves',
        'add stays',
        'delete leaves',
        'add passes',
        'delete passes',
        'add enters',
        'update stays',
      ],
    );
    expect(notebook.names()).toEqual(['enters', 'stays']);
  });

  it('an informer lists again after 410, and reports what it missed', async () => {
    await pods.create('leaves', { tier: 'web' });
    await pods.create('stays', { tier: 'web' });
    const informer = shortLived({
      seconds: 1,
      between: async (connections) => {
        if (connections > 1) return;
        await pods.delete('leaves');
        await pods.create('enters', { tier: 'web' });
        await compactPods();
      },
    });
    const notebook = new Notebook(informer);
    await informer.start();
    await notebook.tells('add leaves', 'add stays', 'delete leaves', 'add enters');
    await pods.create('after', { tier: 'web' });
    await notebook.tells('add leaves', 'add stays', 'delete leaves', 'add enters', 'add after');
    expect(notebook.names()).toEqual(['after', 'enters', 'stays']);
  });

  it('an informer lists again after its watch if its grants select other objects', async () => {
    await pods.create('mine', { tier: 'web', team: 'a' });
    await pods.create('theirs', { tier: 'web', team: 'b' });
    await grant({ team: 'a' });
    const seen = new Pods(asJane());
    const path = `${Pods.path}?timeoutSeconds=2`;
    const informer = new ListWatch(path, new Watch(asJane()), () => seen.list(), false);
    const notebook = new Notebook(informer);
    await informer.start();
    await notebook.tells('add mine');
    await grant({ team: 'b' });
    await notebook.tells('add mine', 'delete mine', 'add theirs');
    expect(notebook.names()).toEqual(['theirs']);
  });
});

/** The configuration of a user who sees pods only by a grant. */
function asJane(): KubeConfig {
  const config = new KubeConfig();
  const cluster = connection.config.getCurrentCluster();
  if (cluster === null) throw new Error('there is no cluster');
  config.loadFromClusterAndUser(cluster, { name: 'jane', impersonateUser: 'jane' });
  return config;
}

async function grant(matchLabels: Record<string, string>): Promise<void> {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' };
  const subjects = [{ apiGroup: roleRef.apiGroup, kind: 'User', name: 'jane' }];
  await apply('/apis/winnow.dev/v1/namespaces/default/accessgrants/jane', {
    apiVersion: 'winnow.dev/v1',
    kind: 'AccessGrant',
    metadata: { name: 'jane' },
    roleRef,
    subjects,
    labelSelector: { matchLabels },
  });
}

async function apply(path: string, body: object): Promise<void> {
  const { ok, status } = await fetch(`${connection.service.winnow.url}${path}?fieldManager=test`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: JSON.stringify(body),
  });
  if (!ok) throw new Error(`${path}: ${status}`);
}

/** Compacts the journal of pods up to now, as happens after a day. */
async function compactPods(): Promise<void> {
  const { environment, dynamodbClientConfig: config } = connection.service.winnow;
  const table = createDynamoTable({ tableName: environment.WINNOW_TABLE ?? '', clock: systemClock, config });
  const store = createStore({ table, clock: systemClock, random: systemRandom, logger: silentLogger });
  const collection = collectionOf('', 'pods');
  const head = await store.head(collection);
  await store.raise(collection, 'settled', head);
  await store.raise(collection, 'compacted', head);
}
