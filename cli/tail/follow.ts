import { setTimeout as sleep } from 'node:timers/promises';
import { readSelection, type SubscriptionSpec } from '../../lib/client/index.ts';
import type { KubernetesObject } from '../client.ts';
import { type Connection, Fault } from '../connection/index.ts';

/** A change of the set; or what a reader has to know of what is not told. */
export type Told =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: KubernetesObject }
  | { readonly type: 'NOTE'; readonly text: string };

export interface FollowOptions {
  readonly connection: Connection;
  readonly namespace: string;
  /** Of the Subscription. */
  readonly name: string;
  /** Whether all that is selected is told first. */
  readonly snapshot: boolean;
  readonly signal: AbortSignal;
}

interface WatchEvent {
  readonly type: string;
  readonly object: KubernetesObject & { readonly code?: number; readonly message?: string };
}

const PAUSE = 2_000;
const GONE = 410;

/**
 * What a Subscription selects, as it happens, until the signal is aborted. Watches end after some minutes: the next one
 * goes on where it ended, with what the Subscription selects by then.
 *
 * @throws {Fault} it cannot begin.
 */
export async function* follow(options: FollowOptions): AsyncGenerator<Told> {
  const { signal } = options;
  const first = await selected(options);
  let from = options.snapshot ? yield* snapshot(options, first) : await headOf(options, first);
  while (!signal.aborted) {
    try {
      const selection = await selected(options);
      for await (const event of watch(options, `${selection}&resourceVersion=${from}`)) {
        if (event.type === 'ERROR') throw errorOf(event);
        from = String(event.object.metadata.resourceVersion);
        if (event.type !== 'BOOKMARK') yield event as Told;
      }
    } catch (error) {
      if (signal.aborted) return;
      yield { type: 'NOTE', text: error instanceof Error ? error.message : String(error) };
      if (error instanceof MissedError) from = await headOf(options, await selected(options));
      await sleep(PAUSE, undefined, { signal }).catch(() => {});
    }
  }
}

/** Changes are too long ago to be told. */
class MissedError extends Error {}

function errorOf({ object: { code, message } }: WatchEvent): Error {
  if (code !== GONE) return new Error(`the watch ended: ${message}`);
  return new MissedError(
    'changes were missed, and what happens from now on is told: the last ones are too long ago',
  );
}

/** The collection with the selectors in its query. */
async function selected({ connection, namespace, name }: FollowOptions): Promise<string> {
  const path = `/apis/winnow.dev/v1/namespaces/${namespace}/subscriptions/${name}`;
  const { status, body } = await connection.send('GET', path);
  if (status === 404) {
    const advice = 'List them: kubectl get subscriptions --all-namespaces';
    throw new Fault({ what: `there is no Subscription ${name} in the namespace ${namespace}`, advice });
  }
  const { spec } = (body ?? (await connection.ask('GET', path))) as unknown as { spec: SubscriptionSpec };
  const asked = await readSelection(spec, namespace, (group) => connection.ask('GET', group));
  const { collection, labelSelector, fieldSelector } = asked;
  return `${collection}?${new URLSearchParams({ labelSelector, fieldSelector })}`;
}

async function headOf({ connection }: FollowOptions, selection: string): Promise<string> {
  const { metadata } = await connection.ask('GET', `${selection}&limit=1`);
  return (metadata as { resourceVersion: string }).resourceVersion;
}

/** Tells what is there; gives the resourceVersion at which it was. */
async function* snapshot({ connection }: FollowOptions, selection: string): AsyncGenerator<Told, string> {
  for (let next = ''; ; ) {
    const page = await connection.ask('GET', `${selection}&limit=500&continue=${encodeURIComponent(next)}`);
    for (const object of page.items ?? []) yield { type: 'ADDED', object };
    const metadata = page.metadata as { resourceVersion: string; continue?: string };
    if (!metadata.continue) return metadata.resourceVersion;
    next = metadata.continue;
  }
}

async function* watch({ connection, signal }: FollowOptions, selection: string): AsyncGenerator<WatchEvent> {
  const path = `${selection}&watch=true&allowWatchBookmarks=true`;
  for await (const line of connection.lines(path, signal)) {
    // A heartbeat is an empty line.
    if (line.trim() !== '') yield JSON.parse(line);
  }
}
