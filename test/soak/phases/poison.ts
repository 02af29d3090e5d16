import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteQueueCommand,
  ListQueuesCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { type JsonObject, objectAt } from '../../../lib/json/index.ts';
import type { SoakClient } from '../load/soak-client.ts';
import { SoakSubscriber, subscriptionsIn } from '../load/soak-subscriber.ts';
import { Findings, type Phase, type PhaseContext, slowest } from './phase.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const LABELS = { soak: 'poison' };
const POISON = 'poisoned-look';
/** Seconds in which others see a change while something fails. */
const PROBE = 120;
/** What an object may take as JSON, and what a text of it may then have without the rest. */
const LARGEST = 768 * 1_024 - 2_000;

/** Texts that take most room where they are sent, each as large as an object may be there. */
const TEXTS: readonly (readonly [name: string, unit: string, bytes: number])[] = [
  ['noncharacters', '\uFFFF', 6],
  ['pairs', '😀', 12],
  ['controls', '\u0001', 6],
  ['halves', '\uD800', 6],
  ['quotes', '"', 2],
  ['separators', '\u2028', 3],
];

/** What no function should choke on, or chokes on each time it looks: objects, queues, messages, a row. The others go on. */
export const poison: Phase = {
  name: 'poison',
  share: 0.04,
  run: async (context) => {
    const { service, client, sqs, load, progress } = context;
    const findings = new Findings('poison');
    const seen: number[] = [];
    const goOn = async (what: string) => {
      const took = await load.probe(PROBE);
      findings.expect(took !== undefined, `a change was not seen by all within ${PROBE} s beside ${what}`);
      if (took !== undefined) seen.push(took);
      progress(`beside ${what}`);
    };
    await service.restart('line');
    await sendAwkwardTexts(context, findings);
    await goOn('objects whose events are as long as can be');
    await loseQueues(context);
    await goOn('queues that are gone');
    await client.send('DELETE', `${subscriptionsIn('default')}/lost`);
    const spoiled = await spoilQueues(sqs);
    await goOn('messages that no function understands');
    await poisonRow(context);
    await goOn('an object whose row cannot be read');
    findings.expect(
      await isCollected(client, 'orphan'),
      'an object whose owner is gone was not collected beside one whose row cannot be read',
    );
    findings.expect(service.line.poisoned > 0, 'no function looked at the object whose row cannot be read');
    const failed = service.line.poisoned;
    service.line.poison = undefined;
    findings.expect(
      await isCollected(client, POISON),
      'the object was not collected when its row could be read again',
    );
    return {
      done: `${TEXTS.length} objects whose events are as long as can be; a Subscription whose queue is deleted, one whose queue is not there; ${spoiled} messages without sense in the internal queues; an object whose row cannot be read (${failed} tries)`,
      checked: `the objects are delivered; beside each of it a change reaches all readers (${slowest(seen)}); other objects are collected, and the one in the end`,
      violations: findings.violations,
    };
  },
};

async function sendAwkwardTexts({ client, sqs }: PhaseContext, findings: Findings): Promise<void> {
  const subscriber = new SoakSubscriber(client, sqs, {
    namespace: 'default',
    name: 'poison',
    resource: { group: '', resource: 'configmaps' },
    labelSelector: 'soak=poison',
    queueType: 'FIFO',
    verify: false,
    objects: CONFIG_MAPS,
  });
  await subscriber.subscribe();
  for (const [name, unit, bytes] of TEXTS) {
    const text = unit.repeat(Math.floor(LARGEST / bytes));
    const metadata = { name, labels: LABELS, annotations: { token: name } };
    const answer = await client.send('POST', CONFIG_MAPS, { metadata, data: { text } });
    findings.expect(
      answer?.status === 201,
      `an object of ${name} was not created`,
      JSON.stringify(answer?.body).slice(0, 300),
    );
    const more = {
      metadata: { ...metadata, name: `more-${name}` },
      data: { text: text + text.slice(0, text.length * 0.3) },
    };
    const refused = await client.send('POST', CONFIG_MAPS, more);
    findings.expect(refused?.status === 413, `an object of too many ${name} was answered ${refused?.status}`);
  }
  const isDelivered = () => TEXTS.every(([name]) => subscriber.tokens.has(name));
  for (let second = 0; second < PROBE && !isDelivered(); second += 1) await subscriber.read(1);
  const missing = TEXTS.filter(([name]) => !subscriber.tokens.has(name)).map(([name]) => name);
  findings.expect(missing.length === 0, `objects were not delivered within ${PROBE} s: ${missing}`);
  await client.send('DELETE', subscriber.path);
}

/** One Subscription's queue is deleted by somebody, another's never was there. */
async function loseQueues({ client, sqs }: PhaseContext): Promise<void> {
  const common = { resource: { resource: 'pods' }, labelSelector: 'app' };
  const path = subscriptionsIn('default');
  const queue = { arn: 'arn:aws:sqs:us-east-1:000000000000:nowhere.fifo' };
  await client.send('POST', path, { metadata: { name: 'nowhere' }, spec: { ...common, queue } });
  await client.send('POST', path, { metadata: { name: 'lost' }, spec: { ...common, start: 'snapshot' } });
  for (let second = 0; second < PROBE; second += 1) {
    const answer = await client.send('GET', `${path}/lost`);
    const { queueUrl = '' } = objectAt(answer?.body.status ?? {});
    if (queueUrl !== '') {
      await sqs.send(new DeleteQueueCommand({ QueueUrl: String(queueUrl) }));
      return;
    }
    await sleep(1_000);
  }
}

/** Answers how many messages were sent: to each internal queue, in the groups of the load and of nothing. */
async function spoilQueues(sqs: SQSClient): Promise<number> {
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: 'Winnow-' }));
  const bodies = [
    'no JSON',
    'null',
    '[]',
    '{}',
    '{"collection":"/pods","group":0,"rv":"x"}',
    '{"kind":"nothing"}',
  ];
  let sent = 0;
  for (const QueueUrl of QueueUrls) {
    for (const [at, MessageBody] of bodies.entries()) {
      const fifo = { MessageGroupId: 'soak', MessageDeduplicationId: `soak-${at}` };
      await sqs.send(
        new SendMessageCommand({ QueueUrl, MessageBody, ...(QueueUrl.endsWith('.fifo') && fifo) }),
      );
      sent += 1;
    }
  }
  return sent;
}

/** Two objects whose owner is gone: each look at one of them fails. */
async function poisonRow({ client, service }: PhaseContext): Promise<void> {
  const owner = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: 'gone',
    uid: '00000000-0000-4000-8000-000000000000',
  };
  const create = (name: string): Promise<unknown> => {
    const body: JsonObject = { metadata: { name, ownerReferences: [owner] } };
    return client.send('POST', CONFIG_MAPS, body);
  };
  await create(POISON);
  service.line.poison = POISON;
  await create('orphan');
}

async function isCollected(client: SoakClient, name: string): Promise<boolean> {
  for (let second = 0; second < 3 * PROBE; second += 1) {
    const answer = await client.send('GET', `${CONFIG_MAPS}/${name}`);
    if (answer?.status === 404) return true;
    await sleep(1_000);
  }
  return false;
}
