import type { Listing } from '../kept-set.ts';
import type { KubernetesObject } from '../kubernetes-object.ts';
import { readSelection, type SubscriptionSpec } from './selection.ts';

export interface HttpSubscriptionOptions {
  /** The URL of Winnow, such as `http://127.0.0.1:8080`. */
  readonly server: string;
  /** The name of the Subscription. */
  readonly name: string;
  /** The namespace of the Subscription; `default` by default. */
  readonly namespace?: string;
  /** Returns the headers that authenticate each request, such as `authorization`. */
  readonly headers?: () => Promise<Readonly<Record<string, string>>>;
}

/** The options of a replica that read a Subscription over the HTTP API. */
export interface HttpSubscription {
  /** Returns its `status.queueUrl`, as soon as it is set. */
  readonly queueUrl: () => Promise<string>;
  /** Lists the selected objects, as soon as changes are delivered continuously. */
  readonly list: () => Promise<Listing>;
}

interface SubscriptionObject extends KubernetesObject {
  readonly spec: SubscriptionSpec;
  readonly status?: { readonly queueUrl?: string; readonly phase?: string; readonly edit?: number };
}

interface Page {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly KubernetesObject[];
}

const PAUSE = 500;
/** How often the status of a Subscription is read until it is ready: two minutes. */
const LOOKS = 240;
const METADATA_ONLY = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/** Creates the options of a replica from its Subscription: the queue, and a LIST of the selected objects. */
export function httpSubscription(options: HttpSubscriptionOptions): HttpSubscription {
  const { server, name, namespace = 'default', headers = async () => ({}) } = options;
  const path = `/apis/winnow.dev/v1/namespaces/${namespace}/subscriptions/${name}`;

  const ask = async <Answer>(target: string, accept = 'application/json'): Promise<Answer> => {
    const response = await fetch(`${server}${target}`, { headers: { accept, ...(await headers()) } });
    if (!response.ok) throw new Error(`GET ${target}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  };

  const until = async (
    is: (status: SubscriptionObject['status']) => boolean,
  ): Promise<SubscriptionObject> => {
    for (let looks = 1; ; looks++) {
      const subscription = await ask<SubscriptionObject>(path);
      if (is(subscription.status)) return subscription;
      if (looks === LOOKS) throw new Error(`Subscription ${namespace}/${name} is not ready: see its status`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  };

  const list = async (): Promise<Listing> => {
    const { spec, status } = await until((one) => one?.phase === 'Synced');
    const selection = await readSelection(spec, namespace, ask);
    const { collection, labelSelector, fieldSelector, namespaces } = selection;
    const accept = spec.payload === 'Metadata' ? METADATA_ONLY : undefined;
    const page = (next: string) => {
      const query = new URLSearchParams({ labelSelector, fieldSelector, limit: '500', continue: next });
      return ask<Page>(`${collection}?${query}`, accept);
    };
    const first = await page('');
    const items = itemsFrom(first, page, namespaces);
    return {
      resourceVersion: first.metadata.resourceVersion,
      items: spec.payload === 'Reference' ? referencesTo(items) : items,
      edit: status?.edit,
    };
  };

  return {
    list,
    queueUrl: async () => (await until((status) => !!status?.queueUrl)).status?.queueUrl ?? '',
  };
}

/** Yields the objects of all pages. All pages of a LIST show the same state. */
async function* itemsFrom(
  first: Page,
  page: (next: string) => Promise<Page>,
  namespaces: ReadonlySet<string> | undefined,
): AsyncGenerator<KubernetesObject> {
  for (let at = first; ; at = await page(at.metadata.continue ?? '')) {
    const items = at.items.filter(({ metadata }) => namespaces?.has(metadata.namespace ?? '') !== false);
    yield* items.map((item) => ({
      apiVersion: at.apiVersion,
      kind: at.kind.replace(/List$/, ''),
      ...item,
    }));
    if (!at.metadata.continue) return;
  }
}

/** Converts objects to the form that messages with the payload `Reference` have. */
async function* referencesTo(objects: AsyncIterable<KubernetesObject>): AsyncGenerator<KubernetesObject> {
  for await (const { apiVersion, kind, metadata } of objects) {
    const { namespace, name, uid, resourceVersion } = metadata;
    const place = namespace === undefined ? {} : { namespace };
    yield { apiVersion, kind, metadata: { ...place, name, uid, resourceVersion } };
  }
}
