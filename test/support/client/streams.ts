import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Replica, type ReplicaStore, type SqsRecord } from '../../../lib/client/index.ts';

/** The deliveries of a queue, and the final state of a replica: the same for the consumers in TypeScript and Python. */
export interface Stream {
  readonly title: string;
  /** The queue name; `pods.fifo` by default. */
  readonly queue?: string;
  readonly steps: readonly Step[];
  readonly told: readonly string[];
  /** The resourceVersion of each object, by `<namespace>/<name>`. */
  readonly set: Readonly<Record<string, string>>;
  readonly synced: boolean;
  /** The ids of the messages that are returned. */
  readonly failed?: readonly string[];
}

type Step = { readonly crash: true } | Handed;

interface Handed {
  readonly id: string;
  readonly edit?: number;
  readonly queue?: string;
  /** The body: as JSON, or as it is. */
  readonly event?: unknown;
  readonly body?: string;
}

const folder = join(import.meta.dirname, '../../fixtures/streams');

export const streams: readonly Stream[] = readdirSync(folder).flatMap((file) =>
  JSON.parse(readFileSync(join(folder, file), 'utf8')),
);

export interface End {
  readonly told: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  readonly synced: boolean;
  readonly failed: readonly string[];
}

/** Delivers a stream to replicas over one store: a new replica after each crash. */
export async function follow({ steps, queue }: Stream, store: ReplicaStore): Promise<End> {
  const told: string[] = [];
  const failed: string[] = [];
  let replica = listening(store, told);
  for (const step of steps) {
    if ('crash' in step) {
      replica = listening(store, told);
    } else {
      const { batchItemFailures } = await replica.handle({ Records: [recordOf(step, queue)] });
      failed.push(...batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    }
  }
  const set: Record<string, string> = {};
  for await (const { metadata } of replica.values()) {
    set[`${metadata.namespace ?? ''}/${metadata.name}`] = metadata.resourceVersion ?? '';
  }
  return { told, set, synced: replica.isSynced, failed };
}

/** `add a 5`: the event of a replica, with the object and its resourceVersion. */
export function listening(store: ReplicaStore, told: string[]): Replica {
  const replica = new Replica({ store });
  for (const name of ['add', 'update', 'delete'] as const) {
    replica.on(name, ({ metadata }: { metadata: { name: string; resourceVersion?: string } }) =>
      told.push(`${name} ${metadata.name} ${metadata.resourceVersion}`),
    );
  }
  replica.on('synced', () => told.push('synced'));
  replica.on('error', () => {});
  return replica;
}

function recordOf({ id, edit, event, body, queue }: Handed, usual = 'pods.fifo'): SqsRecord {
  return {
    messageId: id,
    body: body ?? JSON.stringify(event),
    eventSourceARN: `arn:aws:sqs:eu-central-1:111122223333:${queue ?? usual}`,
    messageAttributes: edit === undefined ? {} : { edit: { stringValue: String(edit) } },
  };
}
