import { readSelection, type SubscriptionSpec } from '../../lib/client/index.ts';
import { isJsonObject, type JsonObject } from '../../lib/json/index.ts';
import type { Answer } from '../client.ts';
import { type Connection, Fault } from '../connection/index.ts';
import type { WatchEvent } from './watch.ts';

export interface SelectedOptions {
  readonly connection: Connection;
  readonly namespace: string;
  /** The name of the Subscription. */
  readonly name: string;
}

/** The current selection of a Subscription. */
export interface Selected {
  /** The path of the collection, with the selectors in its query. */
  readonly path: string;
  /** The namespaces that the namespaceSelector selects; undefined without one. */
  readonly namespaces: ReadonlySet<string> | undefined;
  /** The watches that report a change of the selection. */
  readonly signs: readonly Sign[];
}

/** A watch that starts at the resourceVersion of the selection. */
export interface Sign {
  readonly path: string;
  isOther(event: WatchEvent): boolean;
}

/**
 * Reads the current selection of a Subscription.
 *
 * @throws {Fault} the Subscription does not exist, or the endpoint refuses a request.
 */
export async function selected({ connection, namespace, name }: SelectedOptions): Promise<Selected> {
  const subscriptions = `/apis/winnow.dev/v1/namespaces/${namespace}/subscriptions`;
  const path = `${subscriptions}/${name}`;
  const { status, body } = await connection.send('GET', path);
  if (status === 404) {
    const advice = 'List them: kubectl get subscriptions --all-namespaces';
    throw new Fault({ what: `the Subscription ${name} does not exist in namespace ${namespace}`, advice });
  }
  const subscription = body ?? (await connection.ask('GET', path));
  const { generation } = metadataOf(subscription);
  const itself = `${subscriptions}?fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`;
  const signs: Sign[] = [
    // The status changes often, so only a new generation counts.
    sign(itself, subscription, ({ type, object }) => {
      return type === 'DELETED' || object.metadata.generation !== generation;
    }),
  ];
  const { spec } = subscription as unknown as { spec: SubscriptionSpec };
  const asked = await readSelection(spec, namespace, async (part) => {
    const answer = await connection.ask('GET', part);
    // This answer lists the namespaces that match.
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
