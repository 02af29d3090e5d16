import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteQueueCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../../infra/bundle/index.ts';
import { createDynamodbStore } from '../../../lib/client/dynamodb/index.ts';
import { httpSubscription, type KubernetesObject, Replica } from '../../../lib/client/index.ts';
import { createReplicaTable } from '../../support/client/replica-table.ts';
import { follow, streams } from '../../support/client/streams.ts';
import { eventually } from '../../support/eventually.ts';
import { awsEnvironment, exampleLanguages, python, startProgram } from '../../support/example-languages.ts';
import { podSpec } from '../../support/pod-spec.ts';
import { run } from '../../support/service/run-cli.ts';
import { type Service, startService } from '../../support/service/service.ts';

const PODS = '/api/v1/namespaces/default/pods';
const CONSUMER = join(import.meta.dirname, '../../support/client/dying-consumer.ts');

let service: Service;
let sqs: SQSClient;

beforeAll(async () => {
  service = await startService();
  sqs = new SQSClient({ ...service.winnow.sqsClientConfig, useQueueUrlAsEndpoint: false });
});

afterAll(async () => {
  sqs.destroy();
  await service.stop();
});

const put = async (name: string, labels: Record<string, string>) => {
  const { status } = await service.http.send('POST', PODS, {
    body: { metadata: { name, labels }, spec: podSpec() },
  });
  if (status === 409) await service.http.merge(`${PODS}/${name}`, { metadata: { labels } });
};

/** The selected pods as `name@resourceVersion`, ordered by name. */
const listed = async (selector: string) =>
  (await service.http.get(`${PODS}?labelSelector=${encodeURIComponent(selector)}`)).items.map(
    ({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`,
  );

const held = async (replica: Replica) => {
  const set: string[] = [];
  for await (const { metadata } of replica.values()) set.push(`${metadata.name}@${metadata.resourceVersion}`);
  return set;
};

const isThe = async (set: readonly string[], selector: string) => `${set}` === `${await listed(selector)}`;

const spec = (labelSelector: string, more = {}) => ({
  resource: { group: '', resource: 'pods' },
  labelSelector,
  start: 'snapshot',
  ...more,
});

/** The reference to a pod in the messages of a Subscription with the payload Reference. */
const referred = async (name: string) => {
  await put(name, { [name]: 'yes' });
  await service.subscribe(name, spec(`${name}=yes`, { payload: 'Reference', start: 'now' }));
  const { namespace, uid, resourceVersion } = (await service.http.get(`${PODS}/${name}`)).body.metadata;
  return { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name, uid, resourceVersion } };
};

describe('A replica of a running Winnow', () => {
  const open = (name: string) =>
    new Replica({ ...httpSubscription({ server: service.winnow.url, name }), sqs });

  it('a replica starts with a LIST, and follows the queue, an edit of the selector, and a new queue', async () => {
    for (const pod of ['a', 'b', 'c']) await put(`own-${pod}`, { own: pod });
    const { queueUrl: QueueUrl, path } = await service.subscribe(
      'own',
      spec('own in (a,b)', { start: 'now' }),
    );
    const replica = open('own');
    const told: string[] = [];
    const tell = (what: string) => (object: KubernetesObject) => told.push(`${what} ${object.metadata.name}`);
    replica.on('add', tell('add'));
    replica.on('delete', tell('delete'));
    replica.on('synced', () => told.push('synced'));
    replica.on('error', ({ name }) => told.push(name));
    const running = replica.run();
    const ends = (what: string, selector: string) =>
      eventually(what, async () => isThe(await held(replica), selector));

    await eventually('it has listed', () => told.includes('synced'));
    expect(told).toEqual(['add own-a', 'add own-b', 'synced']);
    await put('own-c', { own: 'a' });
    await put('own-a', { own: 'none' });
    await ends('it follows changes', 'own in (a,b)');
    await service.http.merge(path, { spec: { labelSelector: 'own in (b,none)' } });
    await ends('it follows an edit', 'own in (b,none)');
    await put('own-d', { own: 'b' });
    await ends('it follows changes of the new selection', 'own in (b,none)');

    await sqs.send(new DeleteQueueCommand({ QueueUrl }));
    await put('own-e', { own: 'b' });
    await ends('it follows another queue', 'own in (b,none)');
    expect(told).toContain('QueueGoneError');
    await replica.stop();
    await running;
    const deleted = told.filter((line) => line.startsWith('delete'));
    expect(deleted).toEqual(['delete own-a', 'delete own-c']);
  });

  it('a replica lists by a selector object, in all namespaces, and only metadata', async () => {
    await put('listed-a', { listed: 'yes', tier: 'web' });
    await put('listed-b', { listed: 'yes', tier: 'db' });
    const selector = {
      matchLabels: { listed: 'yes' },
      matchExpressions: [
        { key: 'tier', operator: 'NotIn', values: ['db', 'cache'] },
        { key: 'tier', operator: 'In', values: ['web', 'db'] },
        { key: 'tier', operator: 'Exists' },
        { key: 'absent', operator: 'DoesNotExist' },
      ],
    };
    const all = { selector, labelSelector: null, namespaces: 'All', payload: 'Metadata', start: 'now' };
    await service.subscribe('listed', spec('', all));
    const { resourceVersion, items } = await httpSubscription({
      server: service.winnow.url,
      name: 'listed',
    }).list();
    const objects: KubernetesObject[] = [];
    for await (const object of items) objects.push(object);
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'PartialObjectMetadata listed-a',
    ]);
    expect(Number(resourceVersion)).toBeGreaterThan(0);
  });

  it('a replica lists references if the payload is Reference', async () => {
    const reference = await referred('referred');
    const { items } = await httpSubscription({ server: service.winnow.url, name: 'referred' }).list();
    const objects: KubernetesObject[] = [];
    for await (const object of items) objects.push(object);
    expect(objects).toEqual([reference]);
  });

  it('a replica ends with the true set, although it is killed often between its store and the deletion', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'winnow-replica-'));
    try {
      for (const pod of ['a', 'b', 'c']) await put(`killed-${pod}`, { killed: 'in' });
      const { queueUrl: QueueUrl } = await service.subscribe('killed', spec('killed=in', { verify: true }));
      // The queue delivers the messages of a dead consumer again after this time.
      await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { VisibilityTimeout: '1' } }));
      const live = (deletions: number) =>
        startProgram(
          [
            process.execPath,
            CONSUMER,
            service.winnow.url,
            'killed',
            join(folder, 'replica.db'),
            String(deletions),
          ],
          awsEnvironment(service),
        );
      for (const [life, deletions] of [1, 2, 1].entries()) {
        const consumer = live(deletions);
        await put('killed-b', { killed: life % 2 === 0 ? 'out' : 'in' });
        // Each batch has one message, so that the consumer has enough batches to be killed in.
        await eventually('it has something to receive', async () => {
          await put(`killed-${life}`, { killed: 'in', at: String(Math.random()) });
          return consumer.hasEnded();
        });
      }
      const last = live(0);
      try {
        await eventually('the last one ends at the true set', async () =>
          isThe((last.lines().at(-1) ?? '').split(' '), 'killed=in'),
        );
        expect(last.errors()).toBe('');
      } finally {
        await last.stop();
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('a replica in DynamoDB', () => {
  let dynamodb: DynamoDBClient;

  beforeAll(async () => {
    dynamodb = new DynamoDBClient(service.winnow.dynamodbClientConfig);
    await createReplicaTable(dynamodb, 'replicas');
  });

  afterAll(() => dynamodb.destroy());

  it.each(streams)('a replica in DynamoDB follows the stream: $title', async (stream) => {
    const { title, told, set, synced, failed = [] } = stream;
    const store = createDynamodbStore({ table: 'replicas', name: title, client: dynamodb });
    expect(await follow(stream, store)).toEqual({ told, set, synced, failed });
  });
});

const inPython = exampleLanguages.find(({ language }) => language === 'Python');

describe('the client in Python', () => {
  const missing = inPython?.missing;
  const test = missing === undefined ? it : it.skip;
  const because = missing === undefined ? '' : ` (skipped: ${missing})`;
  const folder = join(root, 'lib/client/python');
  const environment = () => ({
    ...awsEnvironment(service),
    PYTHONPATH: join(folder, 'src'),
    PYTHONDONTWRITEBYTECODE: '1',
  });

  test(`the Python client follows every stream in DynamoDB${because}`, async () => {
    const env = { ...environment(), WINNOW_TEST_TABLE: 'replicas' };
    const { code, errors } = await run(python, ['-m', 'unittest', 'discover', '-s', join(folder, 'tests')], {
      env,
    });
    expect({ code, errors }).toEqual({ code: 0, errors: expect.stringContaining('OK') });
  });

  test(`the Python example on its page prints what enters, changes in and leaves the set${because}`, async () => {
    const example = join(root, 'examples/python/replica.py');
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain(
      `\`\`\`python\n${readFileSync(example, 'utf8')}\`\`\`\n`,
    );
    await put('python-a', { python: 'in' });
    await service.subscribe('python', spec('python=in', { verify: true }));
    const program = startProgram([python, example, service.winnow.url, 'python'], environment());
    try {
      const prints = async (...lines: string[]) => {
        await eventually(`it prints ${lines.at(-1)}`, () => {
          expect(program.errors()).toBe('');
          return program.lines().length >= lines.length;
        });
        expect(program.lines()).toEqual(lines);
      };
      await prints('entered python-a', 'the set is complete');
      await put('python-b', { python: 'in' });
      await put('python-a', { python: 'in', more: 'yes' });
      await put('python-a', { python: 'out' });
      await prints(
        'entered python-a',
        'the set is complete',
        'entered python-b',
        'changed python-a',
        'left python-a',
      );
    } finally {
      await program.stop();
    }
  });

  test(`the Python client lists references if the payload is Reference${because}`, async () => {
    const reference = await referred('snake');
    const script =
      'import json, sys, winnow_client; subscription = winnow_client.HttpSubscription(*sys.argv[1:])';
    const list = 'print(json.dumps(list(subscription.list().items)))';
    const program = ['-c', `${script}\n${list}`, service.winnow.url, 'snake'];
    const { out, errors } = await run(python, program, { env: environment() });
    expect({ errors, items: errors === '' && JSON.parse(out) }).toEqual({ errors: '', items: [reference] });
  });
});
