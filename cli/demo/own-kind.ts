import { join } from 'node:path';
import type { SQSClientConfig } from '@aws-sdk/client-sqs';
import type { Client } from '../client.ts';
import { screen } from '../screen.ts';
import { readObjects } from './documents.ts';
import { Subscriber } from './subscriber.ts';

export interface OwnKindOptions {
  readonly client: Client;
  readonly sqs: SQSClientConfig;
  /** Compares an answer with the expected one. */
  check(answer: readonly string[], expected: readonly string[]): void;
}

const EXAMPLES = join(import.meta.dirname, '../../examples');
const DEVICES = '/apis/fleet.example/v1/namespaces/default/devices';

/** Shows a custom kind: its definition, objects, selectors, validation, and a Subscription. */
export async function showOwnKind({ client, sqs, check }: OwnKindOptions): Promise<void> {
  screen.title('7. A kind of your own');
  await applyAll(client, 'device-definition.yaml');
  await applyAll(client, 'devices.yaml');
  const select = async (query: string) =>
    ((await client.ask('GET', `${DEVICES}?${query}`)).items ?? []).map(({ metadata }) => metadata.name);
  screen.command('kubectl get devices -l site=north');
  check(await select('labelSelector=site%3Dnorth'), ['cam-1']);
  screen.command('kubectl get devices --field-selector spec.state=retired');
  check(await select('fieldSelector=spec.state%3Dretired'), ['cam-2']);
  screen.command('kubectl patch device cam-1 --type merge -p \'{"spec":{"state":"lost"}}\'');
  const refused = await client.send(
    ...(['PATCH', `${DEVICES}/cam-1`, { spec: { state: 'lost' } }] as const),
    'application/merge-patch+json',
  );
  screen.answer(String(refused.body.message));
  check([`${refused.status} ${refused.body.reason}`], ['422 Invalid']);
  await follow({ client, sqs, check });
}

async function applyAll(client: Client, file: string): Promise<void> {
  screen.command(`kubectl apply -f examples/${file}`);
  const done: string[] = [];
  for (const object of await readObjects([join(EXAMPLES, file)])) {
    done.push(`${object.kind.toLowerCase()}/${object.metadata.name} ${await client.apply(object)}`);
  }
  screen.answer(done.join(', '));
}

async function follow({ client, sqs, check }: OwnKindOptions): Promise<void> {
  const [subscription] = await readObjects([join(EXAMPLES, 'subscription.yaml')]);
  if (subscription === undefined) throw new Error('examples/subscription.yaml holds no object');
  const subscriber = new Subscriber(client, sqs);
  try {
    screen.command('kubectl apply -f examples/subscription.yaml   # devices with site=north');
    await subscriber.subscribe(subscription);
    screen.command('kubectl label device cam-2 site=north --overwrite');
    await client.merge(`${DEVICES}/cam-2`, { metadata: { labels: { site: 'north' } } });
    const events = await subscriber.receive(10);
    for (const { type, object } of events) screen.event(type, object.metadata.name);
    check(
      events.map(({ type, object }) => `${type} ${object.metadata.name}`),
      ['ADDED cam-2'],
    );
  } finally {
    subscriber.close();
  }
}
