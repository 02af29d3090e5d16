import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../lib/json/index.ts';
import type { Operation, Snapshot } from '../../simulation/history.ts';
import { PODS, type SoakAnswer, type SoakClient, snapshotIn } from './soak-client.ts';

/** ms after which others are written, and how many at a time: what the checks go through stays short. */
const EPOCH = 15_000;
const NAMES = 6;
const PAUSE = 120;
const PHASE = 'Pending';

export interface Writing {
  readonly client: SoakClient;
  readonly name: string;
  readonly operations: Operation[];
}

/** Creates, changes, reads and deletes a few pods that others write as well, until it is told to stop. */
export async function keepWriting(writing: Writing & { readonly signal: AbortSignal }): Promise<void> {
  for (let count = 0; !writing.signal.aborted; count += 1) {
    const epoch = Math.floor(writing.client.now / EPOCH);
    const pod = `p-${epoch}-${Math.floor(Math.random() * NAMES)}`;
    const wanted = { pod, token: `${writing.name}-${count}`, labels: anyLabels() };
    const chance = Math.random();
    if (chance < 0.3) {
      await perform(writing, { ...wanted, kind: 'create' });
    } else if (chance < 0.7) {
      await perform(writing, { ...wanted, kind: 'update' });
    } else {
      await perform(writing, { ...wanted, kind: chance < 0.85 ? 'delete' : 'get' });
    }
    await sleep(Math.random() * PAUSE);
  }
}

export interface Wanted {
  readonly kind: Operation['kind'];
  readonly pod: string;
  readonly token: string;
  /** What a create or an update writes. */
  readonly labels: Snapshot['labels'];
}

const METHODS = { create: 'POST', update: 'PATCH', delete: 'DELETE', get: 'GET' } as const;

/** Sends one request about a pod and notes what came of it. */
export async function perform(
  { client, name, operations }: Writing,
  { kind, pod, token, labels }: Wanted,
): Promise<Operation> {
  const writes = kind === 'create' || kind === 'update';
  const metadata = { labels: { ...labels }, annotations: { token } };
  const body: JsonObject | undefined =
    kind === 'create'
      ? { metadata: { ...metadata, name: pod }, spec: { containers: [{ name: 'c', image: 'i' }] } }
      : kind === 'update'
        ? { metadata }
        : undefined;
  const path = kind === 'create' ? PODS : `${PODS}/${pod}${kind === 'delete' ? '?gracePeriodSeconds=0' : ''}`;
  const about = {
    client: name,
    kind,
    object: `default/${pod}`,
    invoked: client.now,
    ...(writes && { wrote: { labels, phase: PHASE, token } }),
  };
  const answer = await client.send(METHODS[kind], path, body);
  const returned = answer === undefined ? undefined : client.now;
  const operation = { ...about, returned, ...outcomeOf(answer) };
  operations.push(operation);
  return operation;
}

export function outcomeOf(answer: SoakAnswer): Pick<Operation, 'outcome' | 'reason' | 'answer'> {
  const { status, body } = answer ?? { status: 0, body: {} };
  if (status >= 200 && status < 300) return { outcome: 'ok', answer: snapshotIn(body) };
  switch (status) {
    case 404:
      return { outcome: 'refused', reason: 'absent' };
    case 409:
      return { outcome: 'refused', reason: body.reason === 'AlreadyExists' ? 'exists' : 'conflict' };
    case 429:
      return { outcome: 'refused', reason: 'throttled' };
    case 503:
      return saysDiskIsFull(body) ? { outcome: 'refused', reason: 'throttled' } : { outcome: 'unknown' };
    default:
      return { outcome: 'unknown' };
  }
}

/** Whether a Status says that nothing was written, for the disk below the table is full. */
export function saysDiskIsFull({ message }: JsonObject): boolean {
  return String(message).includes('nothing was written: the disk of the local database is full');
}

function anyLabels(): Record<string, string> {
  return { app: pick('x', 'y'), tier: pick('a', 'b', 'c') };
}

export function pick(...some: readonly string[]): string {
  return some[Math.floor(Math.random() * some.length)] ?? '';
}
