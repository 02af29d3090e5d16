import { setTimeout as sleep } from 'node:timers/promises';
import type { SQSClientConfig } from '@aws-sdk/client-sqs';
import { valueAt } from '../../lib/json/index.ts';
import type { Client } from '../client.ts';
import { screen } from '../screen.ts';
import type { Checks } from './checks.ts';
import { readObjects } from './documents.ts';
import { Subscriber } from './subscriber.ts';

const TALLY = '/apis/winnow.dev/v1/namespaces/default/tallies/frontends';
/** The longest wait for a count, in ms. */
const LONGEST = 30_000;

export interface CountOptions {
  readonly client: Client;
  readonly sqs: SQSClientConfig;
  readonly fixtures: string;
}

/** Shows a Tally, and a Subscription that sends a message when the count falls below its minimum. */
export async function showCount({ client, sqs, fixtures }: CountOptions, checks: Checks): Promise<void> {
  screen.title('5. A count that sends a message when it falls below its minimum');
  const [tally, subscription] = await readObjects([`${fixtures}/tally.yaml`]);
  if (tally === undefined || subscription === undefined) throw new Error('test/fixtures has no tally');
  const subscriber = new Subscriber(client, sqs);
  try {
    screen.command(
      'kubectl apply -f test/fixtures/tally.yaml   # counts tier=frontend,environment=production: 2 or more',
    );
    await client.apply(tally);
    checks.equal([await told(client, 'Within')], ['2 Within']);
    await subscriber.subscribe(subscription);
    screen.command('kubectl delete pod label-demo');
    await client.ask('DELETE', '/api/v1/namespaces/default/pods/label-demo');
    const [event] = await subscriber.receive(20);
    if (event !== undefined) screen.event(event.type, `tally ${event.object.metadata.name}`);
    checks.equal([`${event?.type} ${event?.object.metadata.name}`], ['ADDED frontends']);
    screen.command('kubectl get tallies');
    checks.equal([await told(client, 'Below')], ['1 Below']);
  } finally {
    subscriber.close();
  }
}

/** Waits for the phase, and returns the count and the phase. */
async function told(client: Client, phase: string): Promise<string> {
  for (const end = Date.now() + LONGEST; ; await sleep(100)) {
    const tally = await client.ask('GET', TALLY);
    const text = `${valueAt(tally, 'status.count')} ${valueAt(tally, 'status.phase')}`;
    if (valueAt(tally, 'status.phase') === phase || Date.now() > end) return text;
  }
}
