import { objectAt } from '../../../lib/json/index.ts';
import { SUBSCRIPTIONS } from '../../../lib/kubernetes/lifecycle/index.ts';
import { decodeBody } from '../../../lib/store/body/body-codec.ts';
import { Consumer } from '../actors/consumer.ts';
import { GROUP, type Plural } from './definition.ts';
import type { Using } from './using.ts';

const SUBSCRIPTIONS_URL = '/apis/winnow.dev/v1/namespaces/default/subscriptions';
const RETRY = 1_000;

/** Subscribes to a kind as soon as it exists, and reads the messages, whatever happens to the kind. */
export async function subscribeToKind({ cluster, ask, record }: Using, plural: Plural): Promise<void> {
  const { world } = cluster;
  const consumer = new Consumer(cluster);
  record.consumers.set(plural, consumer);
  world.table.watch(({ after }) => {
    if (after?.pk !== `object#${SUBSCRIPTIONS}` || after.sk !== `default/${plural}`) return;
    const { queueUrl = '' } = objectAt(decodeBody(after.body).status);
    consumer.follow(String(queueUrl));
  });
  const body = {
    apiVersion: 'winnow.dev/v1',
    kind: 'Subscription',
    metadata: { name: plural },
    spec: { resource: { group: GROUP, resource: plural }, namespaces: 'All', start: 'snapshot' },
  };
  for (;;) {
    const answer = await ask({ method: 'POST', url: SUBSCRIPTIONS_URL, body });
    if (answer?.status === 201 || answer?.status === 409) return;
    await world.scheduler.sleep(RETRY);
  }
}
