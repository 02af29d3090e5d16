import { readSelection, type SubscriptionSpec } from '../../lib/client/index.ts';
import { isJsonObject, type JsonObject } from '../../lib/json/index.ts';
import type { Answer } from '../client.ts';
import { type Connection, Fault } from '../connection/index.ts';
import type { WatchEvent } from './watch.ts';

export interface SelectedOptions {
  readonly connection: Connection;
  readonly namespace: string;
  /** Of the Subscription. */
  readonly name: string;
}

/** What a Subscription selects now. */
export interface Selected {
  /** The collection with the selectors in its query. */
  readonly path: string;
  /** Of a namespaceSelector, what it selects: only of these. */
  readonly namespaces: ReadonlySet<string> | undefined;
  /** What is to be watched to know that it selects something else. */
  readonly signs: readonly Sign[];
}

/** A watch from the moment at which was asked what is selected. */
export interface Sign {
  readonly path: string;
  isOther(event: WatchEvent): boolean;
}

/** @throws {Fault} there is no such Subscription. */
export async function selected({ connection, namespace, name }: SelectedOptions): Promise<Selected> {
  const subscriptions = `/apis/winnow.dev/v1/namespaces/${namespace}/subscriptions`;
  const path = `${subscriptions}/${name}`;
  const { status, body } = await connection.send('GET', path);
  if (status === 404) {
    const advice = 'List them: kubectl get subscriptions --all-namespaces';
    throw new Fault({ what: `there is no Subscription ${name} in the namespace ${namespace}`, advice });
  }
  const subscription = body ?? (await connection.ask('GET', path));
  const { generation } = metadataOf(subscription);
  const itself = `${subscriptions}?fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`;
  const signs: Sign[] = [
    // Its status changes all the time.
    sign(itself, subscription, ({ type, object }) => {
      return type === 'DELETED' || object.metadata.generation !== generation;
    }),
  ];
  const { spec } = subscription as unknown as { spec: SubscriptionSpec };
  const asked = await readSelection(spec, namespace, async (part) => {
    const answer = await connection.ask('GET', part);
    // The namespaces that match.
    if (answer.items !== undefined) signs.push(sign(part, answer, ({ type }) => type !== 'MODIFIED'));
    return answer;
  });
  const { collection, labelSelector, fieldSelector, namespaces } = asked;
  const query = new URLSearchParams({ labelSelector, fieldSelector });
  return { path: `${collection}?${query}`, namespaces, signs };
}

function sign(path: string, answer: Answer['body'], isOther: Sign['isOther']): Sign {
  return { path: `${path}&resourceVersion=${metadataOf(answer).resourceVersion}`, isOther };
}

function metadataOf({ metadata }: Answer['body']): JsonObject {
  return isJsonObject(metadata) ? metadata : {};
}
