import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { root } from '../../../infra/bundle/index.ts';
import { httpSubscription, Replica } from '../../../lib/client/index.ts';
import type { JsonObject } from '../../../lib/json/index.ts';
import { eventually } from '../../support/eventually.ts';
import { awsEnvironment, exampleLanguages, python, startProgram } from '../../support/example-languages.ts';
import { type Service, startService } from '../../support/service/service.ts';

const NAMESPACES = '/api/v1/namespaces';
const example = (name: string) => readFileSync(join(root, 'examples', name), 'utf8');
const { spec } = parse(example('subscription-by-namespaces.yaml')) as { spec: JsonObject };

let service: Service;
let sqs: SQSClient;

beforeAll(async () => {
  service = await startService();
  sqs = new SQSClient({ ...service.winnow.sqsClientConfig, useQueueUrlAsEndpoint: false });
  await service.http.post(
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    parse(example('device-definition.yaml')),
  );
});

afterAll(async () => {
  sqs.destroy();
  await service.stop();
});

/** Creates a namespace with one device of the same name. */
const createFleet = async (name: string, labels: Record<string, string>) => {
  await service.http.post(NAMESPACES, { metadata: { name, labels } });
  const device = { apiVersion: 'fleet.example/v1', kind: 'Device', metadata: { name } };
  await service.http.post(`/apis/fleet.example/v1/namespaces/${name}/devices`, device);
};
const label = (name: string, fleet: string | null) =>
  service.http.merge(`${NAMESPACES}/${name}`, { metadata: { labels: { fleet } } });

/** Sends a message that no consumer can read, so that it lists again. */
const confuse = (QueueUrl: string) =>
  sqs.send(
    new SendMessageCommand({
      QueueUrl,
      MessageBody: 'no JSON',
      MessageGroupId: 'none',
      MessageDeduplicationId: 'none',
    }),
  );

it('a replica of the example follows the labels of namespaces, and lists their current objects', async () => {
  await createFleet('lima', { fleet: 'tested' });
  await createFleet('quito', {});
  const inbox = await service.subscribe('fleets', spec);
  const replica = new Replica({ ...httpSubscription({ server: service.winnow.url, name: 'fleets' }), sqs });
  const told: string[] = [];
  replica.on('synced', () => told.push('synced'));
  replica.on('error', ({ name }) => told.push(name));
  const running = replica.run();
  const holds = (...names: string[]) =>
    eventually(`it holds ${names}`, async () => {
      const held: string[] = [];
      for await (const { metadata } of replica.values()) held.push(metadata.name);
      return `${held}` === `${names}`;
    });
  try {
    await holds('lima');
    await label('quito', 'tested');
    await holds('lima', 'quito');
    await label('lima', null);
    await holds('quito');
    expect(told).not.toContain('UnreadableMessageError');

    await confuse(inbox.queueUrl);
    const mended = () => told.lastIndexOf('synced') > told.indexOf('UnreadableMessageError');
    await eventually('it has listed anew', () => told.includes('UnreadableMessageError') && mended());
    await holds('quito');
    await label('lima', 'tested');
    await holds('lima', 'quito');
    expect(told.filter((what) => what !== 'synced')).toEqual(['UnreadableMessageError']);
  } finally {
    await replica.stop();
    await running;
  }
});

const missing = exampleLanguages.find(({ language }) => language === 'Python')?.missing;
const inPython = missing === undefined ? it : it.skip;

inPython(`so does one in Python${missing === undefined ? '' : ` (skipped: ${missing})`}`, async () => {
  await createFleet('oslo', { fleet: 'tested' });
  await createFleet('rome', {});
  const selector = { matchExpressions: [{ key: 'fleet', operator: 'In', values: ['tested'] }] };
  const own = { key: 'kubernetes.io/metadata.name', operator: 'In', values: ['oslo', 'rome'] };
  const inbox = await service.subscribe('cities', {
    ...spec,
    namespaceSelector: { matchExpressions: [...selector.matchExpressions, own] },
  });
  // Without an error listener, the example would end with the error.
  const listening = 'replica.on("error", lambda error: print(type(error).__name__, flush=True))';
  const script = example('python/replica.py').replace('replica.run()', `${listening}\nreplica.run()`);
  const source = join(root, 'lib/client/python/src');
  const environment = { ...awsEnvironment(service), PYTHONPATH: source, PYTHONDONTWRITEBYTECODE: '1' };
  const program = startProgram([python, '-c', script, service.winnow.url, 'cities'], environment);
  const COMPLETE = 'the set is complete';
  const prints = async (...lines: string[]) => {
    const changes = () => program.lines().filter((line) => line !== COMPLETE);
    await eventually(`it prints ${lines.at(-1)}`, () => {
      expect(program.errors()).toBe('');
      return changes().length >= lines.length;
    });
    expect(changes()).toEqual(lines);
  };
  try {
    await prints('entered oslo');
    await label('rome', 'tested');
    await prints('entered oslo', 'entered rome');
    await label('oslo', null);
    await prints('entered oslo', 'entered rome', 'left oslo');
    await confuse(inbox.queueUrl);
    await prints('entered oslo', 'entered rome', 'left oslo', 'UnreadableMessageError');
    await eventually('it has listed anew', () => program.lines().at(-1) === COMPLETE);
  } finally {
    await program.stop();
  }
});
