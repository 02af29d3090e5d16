import { setTimeout as sleep } from 'node:timers/promises';
import type { SQSClientConfig } from '@aws-sdk/client-sqs';
import type { Client, KubernetesObject } from '../client.ts';
import { screen } from '../screen.ts';
import { readObjects } from './documents.ts';
import { Subscriber } from './subscriber.ts';

export interface OwnObjectsOptions {
  readonly client: Client;
  readonly sqs: SQSClientConfig;
  readonly files: readonly string[];
  readonly selector: string;
}

/**
 * Shows what Winnow does with the user's own files: applies them, lists every kind by the selector, and sends the same
 * set to a queue. Returns for how many kinds the queue differed from the list.
 */
export async function showOwnObjects({ client, sqs, files, selector }: OwnObjectsOptions): Promise<number> {
  screen.title(`Your objects, selected by '${selector}'`);
  const objects = await readObjects(files);
  const collections = new Map<string, KubernetesObject>();
  for (const object of objects) {
    await createNamespaceOf(client, object);
    screen.answer(`${object.kind.toLowerCase()}/${object.metadata.name} ${await client.apply(object)}`);
    collections.set(await client.collectionPath(object), object);
  }
  let wrong = 0;
  for (const [path, example] of collections) {
    if (!(await showCollection({ client, sqs, path, example, selector }))) wrong += 1;
  }
  return wrong;
}

async function createNamespaceOf(client: Client, { metadata }: KubernetesObject): Promise<void> {
  const { namespace } = metadata;
  if (
    namespace === undefined ||
    (await client.send('GET', `/api/v1/namespaces/${namespace}`)).status !== 404
  ) {
    return;
  }
  await client.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  screen.answer(`namespace/${namespace} created`);
}

interface Collection {
  readonly client: Client;
  readonly sqs: SQSClientConfig;
  readonly path: string;
  readonly example: KubernetesObject;
  readonly selector: string;
}

async function showCollection({ client, sqs, path, example, selector }: Collection): Promise<boolean> {
  const listPath = `${path}?${new URLSearchParams({ labelSelector: selector })}`;
  screen.command(`curl '$WINNOW${listPath}'`);
  const listed = ((await client.ask('GET', listPath)).items ?? []).map((object) => object.metadata.name);
  screen.answer(listed.join(' ') || '(none)');

  const resource = path.split('/').at(-1) ?? '';
  screen.command(`kubectl apply -f -   # a Subscription to ${resource}, start: snapshot`);
  const subscriber = new Subscriber(client, sqs);
  try {
    await subscriber.subscribe(snapshotOf(example, resource, selector));
    const sent = await receiveSnapshot(subscriber);
    const same = [...sent].sort().join() === [...listed].sort().join();
    screen.check(same, `${sent.length} objects on the queue, the same set`, listed.join(' '));
    return same;
  } finally {
    subscriber.close();
  }
}

function snapshotOf(example: KubernetesObject, resource: string, selector: string): KubernetesObject {
  const [group = ''] = example.apiVersion.includes('/') ? example.apiVersion.split('/') : [];
  const { namespace = 'default' } = example.metadata;
  return {
    apiVersion: 'winnow.dev/v1',
    kind: 'Subscription',
    metadata: { name: `demo-${resource}`, namespace },
    spec: {
      resource: { group, resource },
      ...(example.metadata.namespace === undefined ? { namespaces: 'All' } : {}),
      labelSelector: selector,
      start: 'snapshot',
    },
  };
}

async function receiveSnapshot(subscriber: Subscriber): Promise<string[]> {
  const names: string[] = [];
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(10)) {
    for (const { type, object } of await subscriber.receive(1)) {
      if (type === 'BOOKMARK') return names;
      screen.event(type, object.metadata.name);
      names.push(object.metadata.name);
    }
  }
  throw new Error('the snapshot did not end within a minute');
}
